// Thumbnails with gdk-pixbuf. Shims for what Swift cannot call: signals of objects, variadic calls, lists of formats.
#ifndef CPIXBUF_H
#define CPIXBUF_H

#include <stddef.h>
#include <stdint.h>

// To be called once, before files are out of reach.
void CPixbuf_prepare(void);
// Loads the loader of a format, by gdk-pixbuf's name of it: 0 where there is none.
int CPixbuf_load(const char *format);

// One image on its way to a thumbnail.
typedef struct CPixbuf_Decoder CPixbuf_Decoder;

// `format` is one whose loader is loaded; `side` of the square thumbnail; `mostPixels` that may have to be held in memory.
CPixbuf_Decoder *CPixbuf_begin(const char *format, int side, int64_t mostPixels);
// 1: go on; 0: no more bytes are wanted.
int CPixbuf_feed(CPixbuf_Decoder *decoder, const uint8_t *bytes, size_t count);
// The thumbnail as a PNG, which lives until the decoder is ended; NULL: see CPixbuf_reason.
const uint8_t *CPixbuf_finish(CPixbuf_Decoder *decoder, size_t *count);
const char *CPixbuf_reason(const CPixbuf_Decoder *decoder);
void CPixbuf_end(CPixbuf_Decoder *decoder);

#endif
