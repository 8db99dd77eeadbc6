#include "CThumbnail.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdlib.h>
#include <string.h>

struct bounds { int side; int64_t most; };

static void size_is_known(GdkPixbufLoader *loader, int width, int height, struct bounds *bounds) {
    // A camera's JPEG is decoded to a part of its size for a part of the cost.
    int least = MIN(width, height), divisor = 1;
    while (divisor < 8 && least / (divisor * 2) >= bounds->side) divisor *= 2;
    if (width <= 0 || height <= 0 || width > bounds->most / height) gdk_pixbuf_loader_set_size(loader, 0, 0);
    else if (divisor > 1) gdk_pixbuf_loader_set_size(loader, (width + divisor - 1) / divisor, (height + divisor - 1) / divisor);
}

// The middle square, scaled, and turned as the camera was.
static GdkPixbuf *make_square(GdkPixbuf *image, int side) {
    int width = gdk_pixbuf_get_width(image), height = gdk_pixbuf_get_height(image), least = MIN(width, height);
    GdkPixbuf *middle = gdk_pixbuf_new_subpixbuf(image, (width - least) / 2, (height - least) / 2, least, least);
    if (!middle) return NULL;
    GdkPixbuf *square = gdk_pixbuf_scale_simple(middle, side, side, GDK_INTERP_BILINEAR);
    g_object_unref(middle);
    if (!square) return NULL;
    gdk_pixbuf_copy_options(image, square);
    GdkPixbuf *turned = gdk_pixbuf_apply_embedded_orientation(square);
    g_object_unref(square);
    return turned;
}

uint8_t *CThumbnail_make(const uint8_t *image, size_t count, int side, int64_t most, size_t *made) {
    struct bounds bounds = {side, most};
    uint8_t *answer = NULL;
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
    g_signal_connect(loader, "size-prepared", G_CALLBACK(size_is_known), &bounds);
    gboolean is_good = gdk_pixbuf_loader_write(loader, image, count, NULL);
    // To be closed in any case.
    is_good = gdk_pixbuf_loader_close(loader, NULL) && is_good;
    GdkPixbuf *whole = is_good ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL, *square = whole ? make_square(whole, side) : NULL;
    gchar *png = NULL;
    gsize length = 0;
    if (square && gdk_pixbuf_save_to_buffer(square, &png, &length, "png", NULL, NULL) && (answer = malloc(length))) {
        memcpy(answer, png, length);
        *made = length;
    }
    g_free(png);
    if (square) g_object_unref(square);
    g_object_unref(loader);
    return answer;
}
