"""Recomputes the nonces of docs/x402.md, on standard input, from what that page says, without code of ours."""

import json
import re
import sys

ROTATIONS = [[0, 36, 3, 41, 18], [1, 44, 10, 45, 2], [62, 6, 43, 15, 61], [28, 55, 25, 21, 56], [27, 20, 39, 8, 14]]
MASK = 2**64 - 1


def rotate(lane, bits):
    return ((lane << bits) | (lane >> (64 - bits))) & MASK if bits else lane


def permute(a):
    """Keccak-f[1600] (FIPS 202) of lanes a[x][y]."""
    shift = 1
    for _ in range(24):
        c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
        d = [c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1) for x in range(5)]
        b = [[0] * 5 for _ in range(5)]
        for x in range(5):
            for y in range(5):
                b[y][(2 * x + 3 * y) % 5] = rotate(a[x][y] ^ d[x], ROTATIONS[x][y])
        a = [[b[x][y] ^ (~b[(x + 1) % 5][y] & b[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
        for bit in range(7):
            if shift & 1:
                a[0][0] ^= 1 << (2**bit - 1)
            shift = (shift << 1) ^ (0x171 if shift & 0x80 else 0)
    return a


def keccak256(data):
    """Keccak-256 with the padding of Ethereum, which is older than that of SHA-3."""
    padded = bytearray(data + b"\x01" + bytes(-(len(data) + 1) % 136))
    padded[-1] |= 0x80
    a = [[0] * 5 for _ in range(5)]
    for at in range(0, len(padded), 136):
        for lane in range(17):
            a[lane % 5][lane // 5] ^= int.from_bytes(padded[at + 8 * lane : at + 8 * lane + 8], "little")
        a = permute(a)
    return b"".join(a[lane % 5][lane // 5].to_bytes(8, "little") for lane in range(4))


def word(kind, value):
    if kind == "address":
        return bytes(12) + bytes.fromhex(value[2:])
    return keccak256(value.encode()) if kind == "bytes32" else value.to_bytes(32, "big")


def nonce(entry):
    name, members = re.fullmatch(r"(\w+)\((.*)\)", entry["type"]).groups()
    words = [word(kind, entry["members"][member]) for kind, member in (each.split(" ") for each in members.split(","))]
    hashed = keccak256(keccak256(entry["type"].encode()) + b"".join(words))
    return "0x" + (hashed if name == "Terms" else b"mkt1" + hashed[4:]).hex()


examples = re.search(r"```json\n(\[.*?\n\])\n```", sys.stdin.read(), re.S)
print(json.dumps([nonce(entry) for entry in json.loads(examples.group(1))]))
