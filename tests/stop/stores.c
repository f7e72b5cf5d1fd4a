#include "stores.h"

#ifdef __x86_64__

#include <stdbool.h>
#include <string.h>

enum { LARGEST_STORE = 16 }; /* bytes, of the instructions that are known here */

/* An instruction from its opcode on. */
struct opcode {
    unsigned char byte, modrm, rex;
    const unsigned char *operand; /* what follows ModRM: SIB, displacement */
    const struct user_regs_struct *registers;
};

/* The operand that ModRM names, if that is memory and not the stack's. */
static bool is_memory(const struct opcode *opcode)
{
    unsigned mod = opcode->modrm >> 6, rm = opcode->modrm & 7, sib = opcode->operand[0];
    bool rex_b = opcode->rex & 1, rex_x = opcode->rex & 2;
    if (mod == 3) {
        return false;
    }
    if (rm == 4) { /* base sp, no index */
        return rex_b || (sib & 7) != 4 || rex_x || (sib >> 3 & 7) != 4;
    }
    bool near = opcode->registers->rbp - opcode->registers->rsp < 1 << 16;
    return !(rm == 5 && mod != 0 && !rex_b && near); /* base bp, where that is the frame's */
}

/* What an instruction stores that may be seen. */
enum stored { NOTHING, ITS_OPERAND, ANYTHING };

static enum stored operand_if(bool stores)
{
    return stores ? ITS_OPERAND : NOTHING;
}

static unsigned extension(const struct opcode *opcode)
{
    return opcode->modrm >> 3 & 7;
}

static enum stored one_byte(const struct opcode *opcode)
{
    unsigned byte = opcode->byte;
    if (byte < 0x40) { /* add, or, adc, sbb, and, sub, xor, cmp */
        unsigned form = byte & 7;
        return form > 5 ? ANYTHING : operand_if(form < 2 && byte < 0x38 && is_memory(opcode));
    }
    if ((byte >= 0x50 && byte < 0x60) || byte == 0x63 || (byte >= 0x68 && byte <= 0x6b) ||
        (byte >= 0x70 && byte < 0x80) || byte == 0x84 || byte == 0x85 || byte == 0x8a ||
        byte == 0x8b || byte == 0x8d || (byte >= 0x90 && byte <= 0x99) || byte == 0xa8 ||
        byte == 0xa9 || (byte >= 0xb0 && byte < 0xc0) || byte == 0xc2 || byte == 0xc3 ||
        byte == 0xc9 || byte == 0xe8 || byte == 0xe9 || byte == 0xeb) {
        return NOTHING;
    }
    switch (byte) {
    case 0x80:
    case 0x81:
    case 0x83:
        return operand_if(extension(opcode) != 7 && is_memory(opcode));
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
        return operand_if(is_memory(opcode));
    case 0xf6: /* test; not, neg; mul, div */
    case 0xf7:
        return operand_if((extension(opcode) == 2 || extension(opcode) == 3) && is_memory(opcode));
    case 0xff: /* inc, dec; call, jmp, push */
        return operand_if(extension(opcode) < 2 && is_memory(opcode));
    default:
        return ANYTHING;
    }
}

static enum stored two_bytes(const struct opcode *opcode)
{
    unsigned byte = opcode->byte;
    if (byte == 0x10 || byte == 0x12 || byte == 0x14 || byte == 0x16 || byte == 0x1e ||
        byte == 0x1f || byte == 0x28 || byte == 0x2e || byte == 0x2f ||
        (byte >= 0x40 && byte < 0x50) || byte == 0x57 || (byte >= 0x60 && byte <= 0x70) ||
        (byte >= 0x74 && byte <= 0x76) || (byte >= 0x80 && byte < 0x90) || byte == 0xa3 ||
        byte == 0xaf || (byte >= 0xb6 && byte <= 0xb7) || (byte >= 0xbc && byte <= 0xbf) ||
        byte == 0xc6 || (byte >= 0xc8 && byte < 0xd0) || byte == 0xd4 || byte == 0xef ||
        byte == 0xfe) {
        return NOTHING;
    }
    if (byte == 0x11 || byte == 0x13 || byte == 0x17 || byte == 0x29 || byte == 0x7e ||
        byte == 0x7f || (byte >= 0x90 && byte < 0xa0) || byte == 0xd6) {
        return operand_if(is_memory(opcode));
    }
    return ANYTHING;
}

/* The general register with the number that ModRM or SIB, and REX, give it. */
static uint64_t value_of(const struct user_regs_struct *r, unsigned number)
{
    const unsigned long long values[16] = {r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp,
                                           r->rsi, r->rdi, r->r8,  r->r9,  r->r10, r->r11,
                                           r->r12, r->r13, r->r14, r->r15};
    return values[number];
}

static uint64_t displacement(const unsigned char *at, unsigned mod)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return mod == 0 ? 0 : mod == 1 ? (uint64_t)(int8_t)at[0] : (uint64_t)four;
}

/* The base and the index that SIB names, and the displacement after it. */
static uint64_t scaled_address(const struct opcode *opcode, unsigned mod)
{
    unsigned sib = opcode->operand[0];
    unsigned base = (sib & 7) | (opcode->rex & 1) << 3;
    unsigned index = (sib >> 3 & 7) | (opcode->rex & 2) << 2;
    bool has_base = (sib & 7) != 5 || mod != 0;
    uint64_t address = displacement(opcode->operand + 1, has_base ? mod : 2);
    if (has_base) {
        address += value_of(opcode->registers, base);
    }
    if (index != 4) {
        address += value_of(opcode->registers, index) << (sib >> 6);
    }
    return address;
}

/* Where the operand in memory lies that ModRM names. */
static struct store operand_of(const struct opcode *opcode)
{
    unsigned mod = opcode->modrm >> 6, rm = opcode->modrm & 7;
    struct store store = {.length = LARGEST_STORE};
    if (rm == 4) {
        store.address = scaled_address(opcode, mod);
    } else if (rm == 5 &&
               mod == 0) { /* from the end of the instruction, whose length is not known */
        store.address = opcode->registers->rip + displacement(opcode->operand, 2);
        store.length += LONGEST_INSTRUCTION;
    } else {
        store.address = value_of(opcode->registers, rm | (opcode->rex & 1) << 3);
        store.address += displacement(opcode->operand, mod);
    }
    return store;
}

struct store store_of(const unsigned char *code, const struct user_regs_struct *registers)
{
    struct opcode opcode = {.registers = registers};
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
    opcode.operand = code + 2;
    enum stored stored = two ? two_bytes(&opcode) : one_byte(&opcode);
    if (stored == ITS_OPERAND) {
        return operand_of(&opcode);
    }
    return (struct store){.length = stored == NOTHING ? 0 : STORES_ANYWHERE};
}

#endif
