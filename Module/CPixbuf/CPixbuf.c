#include "CPixbuf.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

struct CPixbuf_Decoder {
    GdkPixbufLoader *loader;
    int side;
    int64_t most_pixels;
    int has_pixels;
    char reason[256];
    gchar *png;
    gsize png_count;
};

// MARK: Loaders

static void ignore_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer nothing) {}

void CPixbuf_prepare(void) {
    // Memory of one image is not the next one's: large blocks go back to the kernel, small ones are wiped.
    // An image that ends too early shows nothing of an earlier one.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
    mallopt(M_PERTURB, 0xFF);
    g_log_set_default_handler(ignore_message, NULL);
}

int CPixbuf_load(const char *format) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_type(format, NULL);
    if (!loader) return 0;
    // Some loaders look for files (the plug-ins of a codec) only when they are given an image: so each is given
    // something, which is none.
    static const guint8 nothing[64];
    gdk_pixbuf_loader_write(loader, nothing, sizeof nothing, NULL);
    gdk_pixbuf_loader_close(loader, NULL);
    g_object_unref(loader);
    return 1;
}

// MARK: One image

static void give_reason(CPixbuf_Decoder *decoder, const char *reason) {
    if (!decoder->reason[0]) snprintf(decoder->reason, sizeof decoder->reason, "%s", reason);
}

static void give_error(CPixbuf_Decoder *decoder, GError *error) {
    if (!error) return;
    give_reason(decoder, error->message);
    g_error_free(error);
}

static void size_is_known(GdkPixbufLoader *loader, int width, int height, CPixbuf_Decoder *decoder) {
    int64_t divisor = 1;
    GdkPixbufFormat *format = gdk_pixbuf_loader_get_format(loader);
    char *name = format ? gdk_pixbuf_format_get_name(format) : NULL;
    if (name && strcmp(name, "jpeg") == 0) {
        // A JPEG is decoded to a half, a quarter or an eighth for a fraction of the cost.
        int least = MIN(width, height);
        while (divisor < 8 && least / (divisor * 2) >= decoder->side) divisor *= 2;
    }
    g_free(name);
    int64_t wide = (width + divisor - 1) / divisor, high = (height + divisor - 1) / divisor;
    if (wide <= 0 || high <= 0 || wide > decoder->most_pixels / high) {
        snprintf(decoder->reason, sizeof decoder->reason, "it is too large: %d × %d pixels", width, height);
        // No size at all ends the loading.
        gdk_pixbuf_loader_set_size(loader, 0, 0);
    } else if (divisor > 1) {
        gdk_pixbuf_loader_set_size(loader, (int)wide, (int)high);
    }
}

static void pixels_came(GdkPixbufLoader *loader, int x, int y, int width, int height, CPixbuf_Decoder *decoder) {
    if (width > 0 && height > 0) decoder->has_pixels = 1;
}

CPixbuf_Decoder *CPixbuf_begin(const char *format, int side, int64_t mostPixels) {
    CPixbuf_Decoder *decoder = g_new0(CPixbuf_Decoder, 1);
    GError *error = NULL;
    // The format is given and not guessed: guessing reads the system's list of types, which is out of reach.
    decoder->loader = gdk_pixbuf_loader_new_with_type(format, &error);
    if (!decoder->loader) {
        give_error(decoder, error);
        return decoder;
    }
    decoder->side = side;
    decoder->most_pixels = mostPixels;
    g_signal_connect(decoder->loader, "size-prepared", G_CALLBACK(size_is_known), decoder);
    g_signal_connect(decoder->loader, "area-updated", G_CALLBACK(pixels_came), decoder);
    return decoder;
}

int CPixbuf_feed(CPixbuf_Decoder *decoder, const uint8_t *bytes, size_t count) {
    if (!decoder->loader) return 0;
    GError *error = NULL;
    gboolean more = gdk_pixbuf_loader_write(decoder->loader, bytes, count, &error);
    if (!more) give_error(decoder, error);
    return more && !decoder->reason[0];
}

// The middle square, scaled, then turned as the camera was: turning a small square costs nothing.
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

const uint8_t *CPixbuf_finish(CPixbuf_Decoder *decoder, size_t *count) {
    if (!decoder->loader) return NULL;
    int refused = decoder->reason[0] && !decoder->has_pixels;
    GError *error = NULL;
    if (!gdk_pixbuf_loader_close(decoder->loader, &error)) give_error(decoder, error);
    GdkPixbuf *image = refused ? NULL : gdk_pixbuf_loader_get_pixbuf(decoder->loader);
    // An image that ends too early is worth a thumbnail as far as it goes, if it goes anywhere.
    if (!image || (decoder->reason[0] && !decoder->has_pixels)) {
        give_reason(decoder, "it is no image that can be decoded");
        return NULL;
    }
    GdkPixbuf *square = make_square(image, decoder->side);
    if (!square) {
        give_reason(decoder, "there is not enough memory for it");
        return NULL;
    }
    error = NULL;
    if (!gdk_pixbuf_save_to_buffer(square, &decoder->png, &decoder->png_count, "png", &error, NULL)) give_error(decoder, error);
    g_object_unref(square);
    *count = decoder->png_count;
    return (const uint8_t *)decoder->png;
}

const char *CPixbuf_reason(const CPixbuf_Decoder *decoder) { return decoder->reason; }

void CPixbuf_end(CPixbuf_Decoder *decoder) {
    // A loader that was not closed complains.
    if (decoder->loader) {
        gdk_pixbuf_loader_close(decoder->loader, NULL);
        g_object_unref(decoder->loader);
    }
    g_free(decoder->png);
    g_free(decoder);
}
