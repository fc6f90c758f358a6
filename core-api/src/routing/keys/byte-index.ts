const INITIAL_SLOTS = 64;

/**
 * Maps byte strings of fixed length to slot numbers, by open addressing with linear probing. All bytes are in one
 * buffer, because a `Map` of as many strings takes several times the memory.
 */
export class ByteIndex {
  private rows: Buffer;
  /** Slot number + 1 in each bucket; 0 in an empty bucket. At most half of the buckets are in use. */
  private buckets = new Uint32Array(INITIAL_SLOTS * 2);
  private slotCount = INITIAL_SLOTS;

  /** @param width length of the byte strings, at least 4; their last 4 bytes must be evenly distributed */
  constructor(private readonly width: number) {
    this.rows = Buffer.alloc(INITIAL_SLOTS * width);
  }

  /** Returns the bucket at which the probe begins for the byte string that ends at `end`. */
  private getHomeBucket(bytes: Uint8Array, end: number): number {
    const [a = 0, b = 0, c = 0, d = 0] = [bytes[end - 1], bytes[end - 2], bytes[end - 3], bytes[end - 4]];
    return (a | (b << 8) | (c << 16) | (d << 24)) & (this.buckets.length - 1);
  }

  private getNextBucket(bucket: number): number {
    return (bucket + 1) & (this.buckets.length - 1);
  }

  private findBucket(bytes: Buffer): number {
    let bucket = this.getHomeBucket(bytes, this.width);
    for (;;) {
      const slot = (this.buckets[bucket] ?? 0) - 1;
      const start = slot * this.width;
      if (slot < 0 || this.rows.compare(bytes, 0, this.width, start, start + this.width) === 0) return bucket;
      bucket = this.getNextBucket(bucket);
    }
  }

  /** @param bytes `width` bytes */
  findSlot(bytes: Buffer): number | undefined {
    const slot = (this.buckets[this.findBucket(bytes)] ?? 0) - 1;
    return slot < 0 ? undefined : slot;
  }

  /** Sets the bytes of a free slot. @param slot a small number, because memory is allocated up to the highest slot */
  set(slot: number, bytes: Buffer): void {
    while (slot >= this.slotCount) this.grow();
    bytes.copy(this.rows, slot * this.width);
    this.buckets[this.findBucket(bytes)] = slot + 1;
  }

  /** Returns a view of the bytes of a slot in use. */
  read(slot: number): Buffer {
    return this.rows.subarray(slot * this.width, (slot + 1) * this.width);
  }

  /** Frees a slot. Later entries whose probe passes the hole move into it, so that no probe ends too early. */
  delete(slot: number): void {
    let hole = this.findBucket(this.read(slot));
    for (let bucket = this.getNextBucket(hole); this.buckets[bucket]; bucket = this.getNextBucket(bucket)) {
      const slotPlusOne = this.buckets[bucket] ?? 0;
      const home = this.getHomeBucket(this.rows, slotPlusOne * this.width);
      const distance = (from: number) => (bucket - from) & (this.buckets.length - 1);
      if (distance(home) < distance(hole)) continue;
      this.buckets[hole] = slotPlusOne;
      hole = bucket;
    }
    this.buckets[hole] = 0;
  }

  private grow(): void {
    this.slotCount *= 2;
    this.rows = Buffer.concat([this.rows], this.slotCount * this.width);
    const usedBuckets = this.buckets.filter((bucket) => bucket !== 0);
    this.buckets = new Uint32Array(this.slotCount * 2);
    for (const slotPlusOne of usedBuckets) {
      let bucket = this.getHomeBucket(this.rows, slotPlusOne * this.width);
      while (this.buckets[bucket]) bucket = this.getNextBucket(bucket);
      this.buckets[bucket] = slotPlusOne;
    }
  }
}
