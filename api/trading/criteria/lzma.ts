// A decoder of LZMA (lzma-specification.txt of the LZMA SDK), the compression of the list of files in a 7z
// archive.

const [PROBABILITY_BITS, EVEN, MOVE_BITS] = [11, 1 << 10, 5]
const TOP = 2 ** 24
const [STATES, MIN_MATCH, LITERALS_ONLY_BELOW] = [12, 2, 7]
const [LENGTH_TREE, FIRST_MODELLED_SLOT, FIRST_DIRECT_SLOT, ALIGN_BITS] = [3, 4, 14, 4]
const LITERAL_PROBABILITIES = 0x300
const MAX_PROPERTIES = 225

/** Thrown for bytes that no encoder writes. */
class Damaged extends Error {}

const evenOf = (length: number) => new Uint16Array(length).fill(EVEN)

class RangeDecoder {
  readonly #packed: Uint8Array
  #at = 1
  #range = 2 ** 32 - 1
  #code = 0

  constructor(packed: Uint8Array) {
    this.#packed = packed
    if (packed[0] !== 0) throw new Damaged()
    for (let count = 0; count < 4; count++) this.#code = this.#code * 256 + this.#next()
  }

  bit(probabilities: Uint16Array, at: number): number {
    const probability = probabilities[at] ?? EVEN
    const bound = (this.#range >>> PROBABILITY_BITS) * probability
    const isOne = this.#code >= bound
    if (isOne) {
      this.#range -= bound
      this.#code -= bound
      probabilities[at] = probability - (probability >> MOVE_BITS)
    } else {
      this.#range = bound
      probabilities[at] = probability + (((1 << PROBABILITY_BITS) - probability) >> MOVE_BITS)
    }
    this.#refill()
    return isOne ? 1 : 0
  }

  /** Reads bits without a model, the highest first. */
  direct(bits: number): number {
    let value = 0
    for (let count = 0; count < bits; count++) {
      this.#range >>>= 1
      const isOne = this.#code >= this.#range
      if (isOne) this.#code -= this.#range
      value = value * 2 + (isOne ? 1 : 0)
      this.#refill()
    }
    return value
  }

  tree(probabilities: Uint16Array, bits: number, offset = 0): number {
    let node = 1
    for (let count = 0; count < bits; count++) node = node * 2 + this.bit(probabilities, offset + node)
    return node - (1 << bits)
  }

  /** Reads a number, the lowest bit first. */
  reverseTree(probabilities: Uint16Array, bits: number, offset = 0): number {
    let [node, value] = [1, 0]
    for (let count = 0; count < bits; count++) {
      const bit = this.bit(probabilities, offset + node)
      node = node * 2 + bit
      value += bit << count
    }
    return value
  }

  #refill(): void {
    if (this.#range >= TOP) return
    this.#range *= 256
    this.#code = this.#code * 256 + this.#next()
  }

  #next(): number {
    const byte = this.#packed[this.#at++]
    if (byte === undefined) throw new Damaged()
    return byte
  }
}

class LengthDecoder {
  readonly #choice = evenOf(2)
  readonly #low = evenOf(16 << LENGTH_TREE)
  readonly #middle = evenOf(16 << LENGTH_TREE)
  readonly #high = evenOf(256)

  read(range: RangeDecoder, position: number): number {
    if (range.bit(this.#choice, 0) === 0) return range.tree(this.#low, LENGTH_TREE, position << LENGTH_TREE)
    if (range.bit(this.#choice, 1) === 0) return 8 + range.tree(this.#middle, LENGTH_TREE, position << LENGTH_TREE)
    return 16 + range.tree(this.#high, 8)
  }
}

/** Unpacks bytes by LZMA; undefined if they are damaged. */
export function unpackLzma(packed: Uint8Array, properties: Uint8Array, sizeBytes: number): Buffer | undefined {
  try {
    return new Decoder(packed, properties[0] ?? MAX_PROPERTIES, sizeBytes).unpack()
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}

class Decoder {
  readonly #range: RangeDecoder
  readonly #out: Buffer
  readonly #literalContext: number
  readonly #literalMask: number
  readonly #positionMask: number
  readonly #literals: Uint16Array
  readonly #isMatch = evenOf(STATES << 4)
  readonly #isRepeat = evenOf(STATES)
  readonly #isRepeatFrom = [evenOf(STATES), evenOf(STATES), evenOf(STATES)] as const
  readonly #isLongRepeat = evenOf(STATES << 4)
  readonly #slots = evenOf(4 << 6)
  readonly #distances = evenOf(128)
  readonly #align = evenOf(1 << ALIGN_BITS)
  readonly #matchLength = new LengthDecoder()
  readonly #repeatLength = new LengthDecoder()
  #distancesBefore: [number, number, number, number] = [0, 0, 0, 0]
  #state = 0
  #at = 0

  constructor(packed: Uint8Array, properties: number, sizeBytes: number) {
    if (properties >= MAX_PROPERTIES) throw new Damaged()
    this.#range = new RangeDecoder(packed)
    this.#out = Buffer.alloc(sizeBytes)
    this.#literalContext = properties % 9
    const positions = Math.floor(properties / 9)
    this.#literalMask = (1 << (positions % 5)) - 1
    this.#positionMask = (1 << Math.floor(positions / 5)) - 1
    this.#literals = evenOf(LITERAL_PROBABILITIES << (this.#literalContext + (positions % 5)))
  }

  unpack(): Buffer {
    while (this.#at < this.#out.length) {
      const position = this.#at & this.#positionMask
      if (this.#range.bit(this.#isMatch, (this.#state << 4) + position) === 0) this.#literal()
      else if (this.#range.bit(this.#isRepeat, this.#state) === 0) this.#match(position)
      else this.#repeat(position)
    }
    return this.#out
  }

  #literal(): void {
    const before = this.#at === 0 ? 0 : (this.#out[this.#at - 1] ?? 0)
    const context = ((this.#at & this.#literalMask) << this.#literalContext) + (before >> (8 - this.#literalContext))
    const offset = LITERAL_PROBABILITIES * context
    let symbol = 1
    if (this.#state >= LITERALS_ONLY_BELOW) {
      let matched = this.#out[this.#at - this.#distancesBefore[0] - 1] ?? 0
      while (symbol < 0x100) {
        const expected = (matched >> 7) & 1
        matched <<= 1
        const bit = this.#range.bit(this.#literals, offset + ((1 + expected) << 8) + symbol)
        symbol = symbol * 2 + bit
        if (bit !== expected) break
      }
    }
    while (symbol < 0x100) symbol = symbol * 2 + this.#range.bit(this.#literals, offset + symbol)
    this.#out[this.#at++] = symbol - 0x100
    this.#state = this.#state < 4 ? 0 : this.#state - (this.#state < 10 ? 3 : 6)
  }

  #match(position: number): void {
    const [first, second, third] = this.#distancesBefore
    const length = this.#matchLength.read(this.#range, position)
    this.#state = this.#state < LITERALS_ONLY_BELOW ? 7 : 10
    this.#distancesBefore = [this.#distance(length), first, second, third]
    this.#copy(length + MIN_MATCH)
  }

  #repeat(position: number): void {
    const [first, second, third, fourth] = this.#distancesBefore
    const isLater = (place: 0 | 1 | 2) => this.#range.bit(this.#isRepeatFrom[place], this.#state) === 1
    const isLow = this.#state < LITERALS_ONLY_BELOW
    if (!isLater(0)) {
      if (this.#range.bit(this.#isLongRepeat, (this.#state << 4) + position) === 0) {
        this.#state = isLow ? 9 : 11
        this.#copy(1)
        return
      }
    } else if (!isLater(1)) this.#distancesBefore = [second, first, third, fourth]
    else if (!isLater(2)) this.#distancesBefore = [third, first, second, fourth]
    else this.#distancesBefore = [fourth, first, second, third]
    const length = this.#repeatLength.read(this.#range, position)
    this.#state = isLow ? 8 : 11
    this.#copy(length + MIN_MATCH)
  }

  #distance(length: number): number {
    const slot = this.#range.tree(this.#slots, 6, Math.min(length, 3) << 6)
    if (slot < FIRST_MODELLED_SLOT) return slot
    const bits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** bits
    if (slot < FIRST_DIRECT_SLOT) return base + this.#range.reverseTree(this.#distances, bits, base - slot)
    const high = this.#range.direct(bits - ALIGN_BITS) * 2 ** ALIGN_BITS
    return base + high + this.#range.reverseTree(this.#align, ALIGN_BITS)
  }

  #copy(length: number): void {
    const distance = this.#distancesBefore[0] + 1
    if (distance > this.#at) throw new Damaged()
    const end = Math.min(this.#at + length, this.#out.length)
    for (; this.#at < end; this.#at++) this.#out[this.#at] = this.#out[this.#at - distance] ?? 0
  }
}
