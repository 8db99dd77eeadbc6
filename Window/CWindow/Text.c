// A text that is edited, or looked at.

#include "CWindow_private.h"

char *CWindow_buffer_text(CWindowObject *buffer) {
    GtkTextIter start, end;
    gtk_text_buffer_get_bounds(GTK_TEXT_BUFFER(buffer), &start, &end);
    return gtk_text_buffer_get_slice(GTK_TEXT_BUFFER(buffer), &start, &end, TRUE);
}

void CWindow_buffer_replace(CWindowObject *object, size_t from, size_t to, const char *text, size_t length, bool is_first) {
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(object);
    GtkTextIter start, end;
    if (is_first) gtk_text_buffer_begin_irreversible_action(buffer);
    else gtk_text_buffer_begin_user_action(buffer);
    gtk_text_buffer_get_iter_at_offset(buffer, &start, (int)from);
    gtk_text_buffer_get_iter_at_offset(buffer, &end, (int)to);
    gtk_text_buffer_delete(buffer, &start, &end);
    gtk_text_buffer_insert(buffer, &start, text, (int)length);
    if (is_first) gtk_text_buffer_end_irreversible_action(buffer);
    else gtk_text_buffer_end_user_action(buffer);
    if (!is_first) return;
    gtk_text_buffer_get_start_iter(buffer, &start);
    gtk_text_buffer_place_cursor(buffer, &start);
}

void CWindow_buffer_mark(CWindowObject *object, size_t first, size_t count, const char *mark) {
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(object);
    GtkTextTag *tag = gtk_text_tag_table_lookup(gtk_text_buffer_get_tag_table(buffer), mark);
    if (!tag) {
        GdkRGBA colour;
        gdk_rgba_parse(&colour, g_str_equal(mark, "added") ? "rgba(38,162,105,0.25)" : "rgba(224,27,36,0.22)");
        tag = gtk_text_buffer_create_tag(buffer, mark, "paragraph-background-rgba", &colour, NULL);
    }
    GtkTextIter start, end;
    gtk_text_buffer_get_iter_at_line(buffer, &start, (int)first);
    gtk_text_buffer_get_iter_at_line(buffer, &end, (int)(first + count));
    // The last line has no end.
    if ((int)(first + count) >= gtk_text_buffer_get_line_count(buffer)) gtk_text_buffer_get_end_iter(buffer, &end);
    gtk_text_buffer_apply_tag(buffer, tag, &start, &end);
}

static void follow(AdwStyleManager *manager, GParamSpec *property, GtkSourceBuffer *buffer) {
    (void)property;
    GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default();
    gtk_source_buffer_set_style_scheme(buffer, gtk_source_style_scheme_manager_get_scheme(schemes, adw_style_manager_get_dark(manager) ? "Adwaita-dark" : "Adwaita"));
}

void CWindow_buffer_follow_style(CWindowObject *buffer) {
    AdwStyleManager *manager = adw_style_manager_get_default();
    g_signal_connect_object(manager, "notify::dark", G_CALLBACK(follow), buffer, 0);
    follow(manager, NULL, GTK_SOURCE_BUFFER(buffer));
}
