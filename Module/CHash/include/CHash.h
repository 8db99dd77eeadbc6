// SHA-256 (FIPS 180-4), because the system's library for it is another one on each system, and Swift's own shifts are slower than C's by
// what bounds and overflows cost.

#pragma once

#include <stddef.h>
#include <stdint.h>

struct CHash_SHA256 {
    uint32_t state[8];
    uint64_t length;
    uint8_t rest[64];
};

void CHash_begin(struct CHash_SHA256 *hash);
void CHash_add(struct CHash_SHA256 *hash, const void *bytes, size_t count);
void CHash_finish(struct CHash_SHA256 *hash, uint8_t digest[32]);

/// Whether the processor's own instructions are used. Tests take them away.
int CHash_has_instructions(void);
void CHash_use_instructions(int wanted);
