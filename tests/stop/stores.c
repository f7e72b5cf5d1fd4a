#include "stores.h"

/* An instruction from its opcode on. */
struct opcode {
    unsigned char byte, modrm, sib, rex;
    uint64_t sp, bp;
};

/* The operand that ModRM names, if that is memory and not the stack's. */
static bool is_memory(const struct opcode *opcode)
{
    unsigned mod = opcode->modrm >> 6, rm = opcode->modrm & 7;
    bool rex_b = opcode->rex & 1, rex_x = opcode->rex & 2;
    if (mod == 3) {
        return false;
    }
    if (rm == 4) { /* base sp, no index */
        return rex_b || (opcode->sib & 7) != 4 || rex_x || (opcode->sib >> 3 & 7) != 4;
    }
    bool near = opcode->bp - opcode->sp < 1 << 16;
    return !(rm == 5 && mod != 0 && !rex_b && near); /* base bp, where that is the frame's */
}

static unsigned extension(const struct opcode *opcode)
{
    return opcode->modrm >> 3 & 7;
}

static bool one_byte(const struct opcode *opcode)
{
    unsigned byte = opcode->byte;
    if (byte < 0x40) { /* add, or, adc, sbb, and, sub, xor, cmp */
        unsigned form = byte & 7;
        return form > 5 || (form < 2 && byte < 0x38 && is_memory(opcode));
    }
    if ((byte >= 0x50 && byte < 0x60) || byte == 0x63 || (byte >= 0x68 && byte <= 0x6b) ||
        (byte >= 0x70 && byte < 0x80) || byte == 0x84 || byte == 0x85 || byte == 0x8a ||
        byte == 0x8b || byte == 0x8d || (byte >= 0x90 && byte <= 0x99) || byte == 0xa8 ||
        byte == 0xa9 || (byte >= 0xb0 && byte < 0xc0) || byte == 0xc2 || byte == 0xc3 ||
        byte == 0xc9 || byte == 0xe8 || byte == 0xe9 || byte == 0xeb) {
        return false;
    }
    switch (byte) {
    case 0x80:
    case 0x81:
    case 0x83:
        return extension(opcode) != 7 && is_memory(opcode);
    case 0x86: /* xchg */
    case 0x87:
    case 0x88: /* mov */
    case 0x89:
    case 0xc0: /* shifts */
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xc6: /* mov */
    case 0xc7:
    case 0xfe: /* inc, dec */
        return is_memory(opcode);
    case 0xf6: /* test; not, neg; mul, div */
    case 0xf7:
        return (extension(opcode) == 2 || extension(opcode) == 3) && is_memory(opcode);
    case 0xff: /* inc, dec; call, jmp, push */
        return extension(opcode) < 2 && is_memory(opcode);
    default:
        return true;
    }
}

static bool two_bytes(const struct opcode *opcode)
{
    unsigned byte = opcode->byte;
    if (byte == 0x10 || byte == 0x12 || byte == 0x14 || byte == 0x16 || byte == 0x1e ||
        byte == 0x1f || byte == 0x28 || byte == 0x2e || byte == 0x2f ||
        (byte >= 0x40 && byte < 0x50) || byte == 0x57 || (byte >= 0x60 && byte <= 0x70) ||
        (byte >= 0x74 && byte <= 0x76) || (byte >= 0x80 && byte < 0x90) || byte == 0xa3 ||
        byte == 0xaf || (byte >= 0xb6 && byte <= 0xb7) || (byte >= 0xbc && byte <= 0xbf) ||
        byte == 0xc6 || (byte >= 0xc8 && byte < 0xd0) || byte == 0xd4 || byte == 0xef ||
        byte == 0xfe) {
        return false;
    }
    if (byte == 0x11 || byte == 0x13 || byte == 0x17 || byte == 0x29 || byte == 0x7e ||
        byte == 0x7f || (byte >= 0x90 && byte < 0xa0) || byte == 0xd6) {
        return is_memory(opcode);
    }
    return true;
}

bool may_store(const unsigned char *code, uint64_t sp, uint64_t bp)
{
    struct opcode opcode = {.sp = sp, .bp = bp};
    int prefixes = 0;
    while (prefixes < 4 && (*code == 0x66 || *code == 0xf2 || *code == 0xf3)) {
        code++;
        prefixes++;
    }
    if ((*code & 0xf0) == 0x40) {
        opcode.rex = *code++;
    }
    bool two = *code == 0x0f;
    code += two;
    opcode.byte = code[0];
    opcode.modrm = code[1];
    opcode.sib = code[2];
    return two ? two_bytes(&opcode) : one_byte(&opcode);
}
