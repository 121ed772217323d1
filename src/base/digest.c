/* SHA-256 and HMAC: see digest.h. FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2; RFC 2104. */
#include "base/digest.h"

#include <string.h>

enum { BLOCK = 64 };

typedef struct sha256 {
    uint32_t h[8];
    unsigned char block[BLOCK];
    uint64_t bytes;
} sha256;

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void compress(sha256 *s)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], v[8];
    for (int t = 0; t < 16; t++) {
        const unsigned char *p = s->block + 4 * t;
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] =
            (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10) + w[t - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 16];
    }
    memcpy(v, s->h, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + k[t] + w[t];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) s->h[i] += v[i];
}

static void begin(sha256 *s)
{
    *s = (sha256){
        {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, {0}, 0};
}

static void add(sha256 *s, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (; size > 0; size--) {
        s->block[s->bytes++ % BLOCK] = *p++;
        if (s->bytes % BLOCK == 0) compress(s);
    }
}

static void end(sha256 *s, unsigned char out[PC_SHA256])
{
    const uint64_t bits = 8 * s->bytes;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
    add(s, "\x80", 1);
    while (s->bytes % BLOCK != BLOCK - 8) add(s, "", 1);
    add(s, length, sizeof length);
    for (int i = 0; i < PC_SHA256; i++) out[i] = (unsigned char)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void pc_hmac(const void *key, size_t key_size, const pc_bytes *parts, size_t n, unsigned char out[PC_SHA256])
{
    unsigned char pad[BLOCK] = {0}, inner[PC_SHA256];
    sha256 s;
    if (key_size > BLOCK) {
        begin(&s);
        add(&s, key, key_size);
        end(&s, pad);
    } else if (key_size > 0) {
        memcpy(pad, key, key_size);
    }
    for (int i = 0; i < BLOCK; i++) pad[i] ^= 0x36;
    begin(&s);
    add(&s, pad, BLOCK);
    for (size_t i = 0; i < n; i++) add(&s, parts[i].data, parts[i].size);
    end(&s, inner);
    for (int i = 0; i < BLOCK; i++) pad[i] ^= 0x36 ^ 0x5c;
    begin(&s);
    add(&s, pad, BLOCK);
    add(&s, inner, sizeof inner);
    end(&s, out);
}
