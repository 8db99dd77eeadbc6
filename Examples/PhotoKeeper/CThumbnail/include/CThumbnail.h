// A small square of an image, by gdk-pixbuf.
#ifndef CTHUMBNAIL_H
#define CTHUMBNAIL_H

#include <stddef.h>
#include <stdint.h>

// The middle of an image as a PNG of side × side pixels, to be freed by the caller; NULL where that cannot be.
// Not decoded is what has more pixels than most.
uint8_t *CThumbnail_make(const uint8_t *image, size_t count, int side, int64_t most, size_t *made);

#endif
