"""ML-DSA-87 verification (FIPS 204 algorithms 3 and 8): pure, empty context. Names are those of the standard."""

import functools
import hashlib

Q, D = 8380417, 13
K, ELL, TAU, BETA, OMEGA = 8, 7, 60, 120, 75
GAMMA1, GAMMA2 = 2**19, (Q - 1) // 32
C_BYTES, Z_BYTES, T1_BYTES = 64, 640, 320
ZETAS = [pow(1753, int(f"{index:08b}"[::-1], 2), Q) for index in range(256)]


def shake256(data, length):
    return hashlib.shake_256(data).digest(length)


def ntt(polynomial):
    w, m, length = list(polynomial), 0, 128
    while length >= 1:
        for start in range(0, 256, 2 * length):
            m += 1
            for j in range(start, start + length):
                t = ZETAS[m] * w[j + length] % Q
                w[j], w[j + length] = (w[j] + t) % Q, (w[j] - t) % Q
        length //= 2
    return w


def inverse_ntt(transformed):
    w, m, length = list(transformed), 256, 1
    while length < 256:
        for start in range(0, 256, 2 * length):
            m -= 1
            for j in range(start, start + length):
                t = w[j]
                w[j], w[j + length] = (t + w[j + length]) % Q, ZETAS[m] * (w[j + length] - t) % Q
        length *= 2
    return [value * 8347681 % Q for value in w]


def bits(data, width):
    """SimpleBitUnpack: little-endian numbers of `width` bits."""
    whole = int.from_bytes(data, "little")
    return [whole >> place & (1 << width) - 1 for place in range(0, 256 * width, width)]


def rej_ntt_poly(seed):
    # 1,100 candidates of which one in a thousand is refused: never too few.
    stream = hashlib.shake_128(seed).digest(3 * 1_100)
    candidates = (int.from_bytes(stream[i : i + 3], "little") & 0x7FFFFF for i in range(0, len(stream), 3))
    return [value for value in candidates if value < Q][:256]


@functools.lru_cache
def expand(public_key):
    """The matrix, NTT(t1 · 2^d) and tr."""
    rho, t1 = public_key[:32], public_key[32:]
    matrix = [[rej_ntt_poly(rho + bytes([s, r])) for s in range(ELL)] for r in range(K)]
    rows = [bits(t1[r * T1_BYTES : (r + 1) * T1_BYTES], 10) for r in range(K)]
    return matrix, [ntt([value << D for value in row]) for row in rows], shake256(public_key, 64)


def sample_in_ball(seed):
    stream = shake256(seed, 8 + 2_048)
    signs, position, c = int.from_bytes(stream[:8], "little"), 8, [0] * 256
    for i in range(256 - TAU, 256):
        while stream[position] > i:
            position += 1
        j, position = stream[position], position + 1
        c[i], c[j] = c[j], 1 - 2 * (signs >> (i + TAU - 256) & 1)
    return c


def hint_bit_unpack(y):
    """The hints, or None when they are not encoded in the one way there is."""
    hints, index = [[0] * 256 for _ in range(K)], 0
    for i in range(K):
        first, end = index, y[OMEGA + i]
        if end < index or end > OMEGA:
            return None
        for index in range(first, end):
            if index > first and y[index - 1] >= y[index]:
                return None
            hints[i][y[index]] = 1
        index = end
    return None if any(y[index:OMEGA]) else hints


def use_hint(hint, r):
    r0 = r % (2 * GAMMA2)
    if r0 > GAMMA2:
        r0 -= 2 * GAMMA2
    r1, r0 = (0, r0 - 1) if r - r0 == Q - 1 else ((r - r0) // (2 * GAMMA2), r0)
    return r1 if hint == 0 else (r1 + (1 if r0 > 0 else -1)) % 16


def verify(public_key, message, signature):
    if len(public_key) != 2592 or len(signature) != 4627:
        return False
    c_tilde, z_bytes = signature[:C_BYTES], signature[C_BYTES : C_BYTES + ELL * Z_BYTES]
    z = [[GAMMA1 - v for v in bits(z_bytes[i * Z_BYTES : (i + 1) * Z_BYTES], 20)] for i in range(ELL)]
    hints = hint_bit_unpack(signature[C_BYTES + ELL * Z_BYTES :])
    if hints is None or any(abs(value) >= GAMMA1 - BETA for row in z for value in row):
        return False
    matrix, t1, tr = expand(public_key)
    # 0: pure; 0: the length of the context.
    mu = shake256(tr + bytes([0, 0]) + message, 64)
    c, transformed = ntt(sample_in_ball(c_tilde)), [ntt(row) for row in z]
    w1 = b""
    for r in range(K):
        products = [[a * b for a, b in zip(matrix[r][s], transformed[s])] for s in range(ELL)]
        w = inverse_ntt([(sum(column) - c[i] * t1[r][i]) % Q for i, column in enumerate(zip(*products))])
        high = [use_hint(hints[r][i], w[i]) for i in range(256)]
        w1 += bytes(high[i] | high[i + 1] << 4 for i in range(0, 256, 2))
    return shake256(mu + w1, C_BYTES) == c_tilde
