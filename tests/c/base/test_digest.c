/* HMAC-SHA256 by the test cases of RFC 4231 and, for every length of text and key across the borders of blocks, split
 * in two at every place: the code does not depend on where. */
#include "base/digest.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static void check_hex(const unsigned char code[PC_SHA256], const char *hex)
{
    char text[2 * PC_SHA256 + 1];
    for (int i = 0; i < PC_SHA256; i++) snprintf(text + 2 * i, 3, "%02x", code[i]);
    ck_assert_str_eq(text, hex);
}

START_TEST(codes_are_those_of_rfc_4231)
{
    unsigned char code[PC_SHA256], key[131], data[152];
    memset(key, 0x0b, 20);
    pc_hmac(key, 20, &(pc_bytes){"Hi There", 8}, 1, code);
    check_hex(code, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    pc_hmac("Jefe", 4, &(pc_bytes){"what do ya want for nothing?", 28}, 1, code);
    check_hex(code, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, 131);
    memset(data, 0xdd, 50);
    pc_hmac(key, 20, &(pc_bytes){data, 50}, 1, code);
    check_hex(code, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    const char *large = "Test Using Larger Than Block-Size Key - Hash Key First";
    pc_hmac(key, 131, &(pc_bytes){large, strlen(large)}, 1, code);
    check_hex(code, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}
END_TEST

START_TEST(where_a_text_is_split_does_not_matter)
{
    unsigned char text[200], whole[PC_SHA256], split[PC_SHA256];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (unsigned char)(37 * i + 11);
    for (size_t n = 0; n <= sizeof text; n++) {
        pc_hmac(text, n, &(pc_bytes){text, n}, 1, whole);
        for (size_t at = 0; at <= n; at++) {
            pc_bytes parts[2] = {{text, at}, {text + at, n - at}};
            pc_hmac(text, n, parts, 2, split);
            ck_assert_mem_eq(whole, split, PC_SHA256);
        }
    }
}
END_TEST

UNIT_MAIN("digest", 60, codes_are_those_of_rfc_4231, where_a_text_is_split_does_not_matter)
