/* Digests of bytes: FNV-1a of 64 bits (Fowler, Noll and Vo), to notice change, not malice; and HMAC-SHA256 (RFC 2104,
 * FIPS 180-4), by which those who share a key know each other. */
#ifndef PC_BASE_DIGEST_H
#define PC_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define PC_DIGEST_START UINT64_C(0xcbf29ce484222325)

/* The digest of what `digest` has seen, followed by these bytes. */
static inline uint64_t pc_digest(uint64_t digest, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++) digest = (digest ^ byte[i]) * UINT64_C(0x100000001b3);
    return digest;
}

enum { PC_SHA256 = 32 };

typedef struct pc_bytes {
    const void *data;
    size_t size;
} pc_bytes;

/* The code of n parts, one after the other, under a key. */
void pc_hmac(const void *key, size_t key_size, const pc_bytes *parts, size_t n, unsigned char out[PC_SHA256]);

#endif
