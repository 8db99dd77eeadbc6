// What comes before a window, and goes.

#include "CWindow_private.h"

// So many are read in a second.
#define LETTERS_A_SECOND 20

// A toast reads markup in its title, and a document's name is none.
CWindowObject *CWindow_toast(CWindowObject *overlay, const char *title, const char *lines, const char *action) {
    char *plain = g_markup_escape_text(title, -1);
    AdwToast *toast = adw_toast_new(plain);
    g_free(plain);
    // Its own title is one line, of which the end, and with it the reason, would be cut off. It is as high as its lines: what wraps is not given more.
    if (lines) {
        GtkWidget *label = gtk_label_new(lines);
        g_object_set(label, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
        gtk_widget_add_css_class(label, "heading");
        gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
        adw_toast_set_custom_title(toast, label);
    }
    if (action) adw_toast_set_button_label(toast, action);
    adw_toast_set_timeout(toast, (action ? 10 : 5) + (guint)(MIN(g_utf8_strlen(title, -1), 600) / LETTERS_A_SECOND));
    g_object_ref(toast);
    adw_toast_overlay_add_toast(ADW_TOAST_OVERLAY(overlay), toast);
    return OBJECT(toast);
}

void CWindow_dismiss_toast(CWindowObject *toast) { adw_toast_dismiss(ADW_TOAST(toast)); }

CWindowObject *CWindow_question(CWindowObject *window, const char *heading, const char *body, const char *text) {
    GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(window), heading, body);
    if (text) {
        GtkWidget *entry = gtk_entry_new();
        gtk_editable_set_text(GTK_EDITABLE(entry), text);
        gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
        gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, heading, -1);
        adw_message_dialog_set_extra_child(ADW_MESSAGE_DIALOG(dialog), entry);
    }
    return OBJECT(g_object_ref(dialog));
}

void CWindow_add_response(CWindowObject *question, const char *name, const char *label, int kind) {
    AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(question);
    adw_message_dialog_add_responses(dialog, name, label, NULL);
    if (kind == 1) {
        adw_message_dialog_set_response_appearance(dialog, name, ADW_RESPONSE_SUGGESTED);
        adw_message_dialog_set_default_response(dialog, name);
    } else if (kind == 2) adw_message_dialog_set_response_appearance(dialog, name, ADW_RESPONSE_DESTRUCTIVE);
}

struct opening {
    CWindowCall call;
    void *context;
    CWindowEnd end;
};

static void opened(GObject *window, GAsyncResult *result, void *data) {
    struct opening *opening = data;
    GError *error = NULL;
    gtk_show_uri_full_finish(GTK_WINDOW(window), result, &error);
    CWindowValue value = { .text = error ? error->message : NULL };
    opening->call(opening->context, &value, 1);
    opening->end(opening->context);
    g_clear_error(&error);
    g_free(opening);
}

void CWindow_open_address(CWindowObject *window, const char *address, CWindowCall call, void *context, CWindowEnd end) {
    struct opening *opening = g_new(struct opening, 1);
    *opening = (struct opening){ call, context, end };
    gtk_show_uri_full(GTK_WINDOW(window), address, GDK_CURRENT_TIME, NULL, opened, opening);
}
