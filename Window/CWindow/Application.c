// The application: its start, its end, and the loop, which serves the main queue of Swift's programs.

#include "CWindow_private.h"
#include <glib-unix.h>
#include <malloc.h>
#include <stdint.h>
#include <unistd.h>

// Exported by libdispatch for Foundation's loop, and in none of its headers.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static AdwApplication *application;

static bool hasGraphicsCard(void) {
    static const char *const devices[] = { "/dev/dri", "/dev/nvidiactl", "/dev/dxg" };
    for (size_t index = 0; index < G_N_ELEMENTS(devices); index++)
        if (access(devices[index], F_OK) == 0) return true;
    return false;
}

bool CWindow_prepare(const char *name) {
    // Memory that many threads have used for a moment would lie between what stays.
    mallopt(M_ARENA_MAX, 2);
    g_set_prgname(name);
    // Without a graphics card OpenGL is done by the processor, which GTK's own drawing asks less of, and with 60 MB of a compiler.
    // The programs that are started from here decide for themselves.
    bool isDrawnByProcessor = !hasGraphicsCard() && !g_getenv("GDK_DEBUG") && !g_getenv("GSK_RENDERER");
    if (isDrawnByProcessor) g_setenv("GDK_DEBUG", "gl-disable", TRUE);
    bool isThere = gtk_init_check();
    if (isDrawnByProcessor) g_unsetenv("GDK_DEBUG");
    if (!isThere) return false;
    // Or each window, menu and tooltip tries OpenGL first, and complains of that.
    if (isDrawnByProcessor) g_object_set_data(G_OBJECT(gdk_display_get_default()), "gsk-renderer", (void *)"cairo");
    adw_init();
    gtk_source_init();
    // A line's ends are as round as ever; of several lines no letter is in the corners.
    GtkCssProvider *style = gtk_css_provider_new();
    gtk_css_provider_load_from_data(style, "toast { border-radius: 24px; }", -1);
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(style);
    g_type_ensure(GTK_SOURCE_TYPE_VIEW);
    g_type_ensure(CWindow_row_type());
    return true;
}

// Its eight bytes are read, or the loop would be told of the same work for ever.
static gboolean serve_main_queue(int descriptor, GIOCondition condition, void *context) {
    (void)condition, (void)context;
    uint64_t count;
    ssize_t got = read(descriptor, &count, sizeof count);
    (void)got;
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

struct start {
    CWindowCall call;
    void *context;
};

static void activate(GApplication *started, struct start *start) {
    (void)started;
    CWindowValue none = { 0 };
    start->call(start->context, &none, 0);
}

int CWindow_run(const char *identifier, CWindowCall start, void *context) {
    // Each start is a window of its own: two may be about two containers.
    application = adw_application_new(identifier, G_APPLICATION_NON_UNIQUE);
    struct start called = { start, context };
    g_signal_connect(application, "activate", G_CALLBACK(activate), &called);
    // After what a person does and after the frame that is due: where much comes in, as pictures do while somebody scrolls, all frames are drawn nevertheless.
    guint queue = g_unix_fd_add_full(GDK_PRIORITY_REDRAW + 10, _dispatch_get_main_queue_handle_4CF(), G_IO_IN, serve_main_queue, NULL, NULL);
    int code = g_application_run(G_APPLICATION(application), 0, NULL);
    g_source_remove(queue);
    g_clear_object(&application);
    return code;
}

void CWindow_return_memory(void) { malloc_trim(0); }

void CWindow_add_window(CWindowObject *window) { gtk_application_add_window(GTK_APPLICATION(application), GTK_WINDOW(window)); }

void CWindow_set_keys(const char *action, const char *keys) {
    char **all = g_strsplit(keys, " ", -1);
    gtk_application_set_accels_for_action(GTK_APPLICATION(application), action, (const char *const *)all);
    g_strfreev(all);
}
