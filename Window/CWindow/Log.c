// What a window does and when, for who measures it (Benchmarks/windows.py): a line each in the file that VALISE_WINDOW_LOG names, with the time in
// microseconds of the monotonic clock before it. Without that there is no log, and no frame more is drawn.

#include "CWindow_private.h"
#include <stdio.h>
#include <stdlib.h>

static FILE *log_file(void) {
    static FILE *file;
    static bool is_known;
    if (!is_known) {
        const char *path = getenv("VALISE_WINDOW_LOG");
        is_known = true;
        file = path && *path ? fopen(path, "we") : NULL;
        if (file) setlinebuf(file);
    }
    return file;
}

bool CWindow_is_logged(void) { return log_file() != NULL; }

void CWindow_log(const char *words) {
    if (log_file()) fprintf(log_file(), "%lld %s\n", (long long)g_get_monotonic_time(), words);
}

static void began(GdkFrameClock *clock, gint64 *begin) {
    (void)clock;
    *begin = g_get_monotonic_time();
}

static void ended(GdkFrameClock *clock, gint64 *begin) {
    (void)clock;
    char words[64];
    snprintf(words, sizeof words, "frame %lld", (long long)(g_get_monotonic_time() - *begin));
    CWindow_log(words);
}

// The clock goes on as long as somebody waits for its next tick: each frame that comes late is seen to be.
static gboolean tick(GtkWidget *window, GdkFrameClock *clock, gpointer none) {
    (void)window, (void)clock, (void)none;
    return G_SOURCE_CONTINUE;
}

static void realized(GtkWidget *window, gpointer none) {
    (void)none;
    static gint64 begin;
    GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
    g_signal_connect(clock, "before-paint", G_CALLBACK(began), &begin);
    g_signal_connect(clock, "after-paint", G_CALLBACK(ended), &begin);
    gtk_widget_add_tick_callback(window, tick, NULL, NULL);
}

void CWindow_log_frames(CWindowObject *window) {
    if (!log_file()) return;
    if (gtk_widget_get_realized(GTK_WIDGET(window))) realized(GTK_WIDGET(window), NULL);
    else g_signal_connect(window, "realize", G_CALLBACK(realized), NULL);
}
