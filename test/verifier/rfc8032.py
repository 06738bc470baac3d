"""Ed25519 verification (RFC 8032 §5.1.7), strict: S < L, no cofactor, no unreduced point and none of small order."""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
IDENTITY = (0, 1, 1, 0)


def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    product = IDENTITY
    while scalar > 0:
        if scalar & 1:
            product = add(product, point)
        point, scalar = add(point, point), scalar >> 1
    return product


def equal(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def decode(encoded):
    """The point, or None when y is not reduced, when there is none, and when its order divides 8."""
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P != 0 or x == 0 and sign:
        return None
    x = x if x & 1 == sign else P - x
    point = (x, y, 1, x * y % P)
    return None if equal(multiply(8, point), IDENTITY) else point


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def verify(public_key, message, signature):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    a, r, s = decode(public_key), decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    return equal(multiply(s, BASE), add(r, multiply(k, a)))
