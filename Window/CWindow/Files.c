// Pictures, and files that somebody gives to a window.

#include "CWindow_private.h"

// A picture of more points than this is not drawn: its memory would be the machine's.
#define MOST_POINTS 100000000LL

struct size {
    int most, width, height;
    bool is_refused;
};

// The size is in the first of it, and what is refused for that is not read any further: a little may become very much.
static const size_t part = 4096;

static size_t read_size(GdkPixbufLoader *loader, const guchar *bytes, size_t length, struct size *size) {
    size_t done = 0;
    while (done < length && !size->width) {
        size_t next = MIN(part, length - done);
        if (!gdk_pixbuf_loader_write(loader, bytes + done, next, NULL)) return 0;
        done += next;
    }
    return size->is_refused ? 0 : done;
}

static void prepare(GdkPixbufLoader *loader, int width, int height, struct size *size) {
    size->width = width;
    size->height = height;
    size->is_refused = (long long)width * height > MOST_POINTS;
    double scale = (double)size->most / MAX(width, height);
    // Of no size it is given no memory.
    if (size->is_refused) gdk_pixbuf_loader_set_size(loader, 0, 0);
    else if (scale < 1) gdk_pixbuf_loader_set_size(loader, MAX(1, (int)(width * scale)), MAX(1, (int)(height * scale)));
}

CWindowObject *CWindow_picture(const void *bytes, size_t length, int most) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
    struct size size = { .most = most };
    g_signal_connect(loader, "size-prepared", G_CALLBACK(prepare), &size);
    size_t first = read_size(loader, bytes, length, &size);
    bool is_read = first > 0 && gdk_pixbuf_loader_write(loader, (const guchar *)bytes + first, length - first, NULL);
    is_read = gdk_pixbuf_loader_close(loader, NULL) && is_read && !size.is_refused;
    GdkPixbuf *drawn = is_read ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
    GdkPixbuf *upright = drawn ? gdk_pixbuf_apply_embedded_orientation(drawn) : NULL;
    GdkTexture *texture = upright ? gdk_texture_new_for_pixbuf(upright) : NULL;
    g_clear_object(&upright);
    g_object_unref(loader);
    return texture ? OBJECT(texture) : NULL;
}

bool CWindow_picture_is_too_large(const void *bytes, size_t length, int *width, int *height) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
    struct size size = { .most = 1 };
    g_signal_connect(loader, "size-prepared", G_CALLBACK(prepare), &size);
    read_size(loader, bytes, length, &size);
    gdk_pixbuf_loader_close(loader, NULL);
    g_object_unref(loader);
    *width = size.width;
    *height = size.height;
    return size.is_refused;
}

static bool call_with(GSList *files, CWindowCall call, void *context) {
    guint count = g_slist_length(files), used = 0;
    CWindowValue *values = g_new0(CWindowValue, count + 1);
    for (GSList *file = files; file; file = file->next) {
        values[used].text = g_file_get_path(file->data);
        // What is on no disk has no path.
        if (values[used].text) used++;
    }
    bool answer = used > 0 && call(context, values, used);
    for (guint index = 0; index < used; index++) g_free((char *)values[index].text);
    g_free(values);
    return answer;
}

void CWindow_choose_in(CWindowObject *chooser, const char *folder) {
    GFile *file = g_file_new_for_path(folder);
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(chooser), file, NULL);
    g_object_unref(file);
}

void CWindow_chosen(CWindowObject *chooser, CWindowCall call, void *context) {
    GListModel *chosen = gtk_file_chooser_get_files(GTK_FILE_CHOOSER(chooser));
    GSList *files = NULL;
    for (guint index = g_list_model_get_n_items(chosen); index > 0; index--) files = g_slist_prepend(files, g_list_model_get_item(chosen, index - 1));
    call_with(files, call, context);
    g_slist_free_full(files, g_object_unref);
    g_object_unref(chosen);
}

struct drop {
    CWindowCall call;
    void *context;
    CWindowEnd end;
};

static gboolean dropped(GtkDropTarget *target, const GValue *value, double x, double y, struct drop *drop) {
    (void)target, (void)x, (void)y;
    GSList *files = gdk_file_list_get_files(g_value_get_boxed(value));
    bool answer = call_with(files, drop->call, drop->context);
    g_slist_free(files);
    return answer;
}

static void end_drop(void *drop, GClosure *closure) {
    (void)closure;
    ((struct drop *)drop)->end(((struct drop *)drop)->context);
    g_free(drop);
}

void CWindow_accept_files(CWindowObject *widget, CWindowCall call, void *context, CWindowEnd end) {
    GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    struct drop *drop = g_new(struct drop, 1);
    *drop = (struct drop){ call, context, end };
    g_signal_connect_data(target, "drop", G_CALLBACK(dropped), drop, end_drop, 0);
    gtk_widget_add_controller(GTK_WIDGET(widget), GTK_EVENT_CONTROLLER(target));
}
