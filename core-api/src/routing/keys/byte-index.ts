const INITIAL_SLOTS = 64;

/**
 * Maps byte strings of fixed length to slot numbers, by open addressing with linear probing. All bytes are in one
 * buffer, because a `Map` of as many strings takes several times the memory.
 */
export class ByteIndex {
  private rows: Buffer;
  /** Slot number + 1 at each place; 0 at an empty place. At most half of the places are in use. */
  private places = new Uint32Array(INITIAL_SLOTS * 2);
  private slotCount = INITIAL_SLOTS;

  /** @param width length of the byte strings, at least 4; their last 4 bytes must be evenly distributed */
  constructor(private readonly width: number) {
    this.rows = Buffer.alloc(INITIAL_SLOTS * width);
  }

  /** Returns the preferred place of the byte string that ends at `end`. */
  private findHome(bytes: Uint8Array, end: number): number {
    const [a = 0, b = 0, c = 0, d = 0] = [bytes[end - 1], bytes[end - 2], bytes[end - 3], bytes[end - 4]];
    return (a | (b << 8) | (c << 16) | (d << 24)) & (this.places.length - 1);
  }

  private nextPlace(place: number): number {
    return (place + 1) & (this.places.length - 1);
  }

  private findPlace(bytes: Buffer): number {
    let place = this.findHome(bytes, this.width);
    for (;;) {
      const slot = (this.places[place] ?? 0) - 1;
      const start = slot * this.width;
      if (slot < 0 || this.rows.compare(bytes, 0, this.width, start, start + this.width) === 0) return place;
      place = this.nextPlace(place);
    }
  }

  /** @param bytes `width` bytes */
  findSlot(bytes: Buffer): number | undefined {
    const slot = (this.places[this.findPlace(bytes)] ?? 0) - 1;
    return slot < 0 ? undefined : slot;
  }

  /** Sets the bytes of a free slot. @param slot a small number, because memory is allocated up to the highest slot */
  set(slot: number, bytes: Buffer): void {
    while (slot >= this.slotCount) this.grow();
    bytes.copy(this.rows, slot * this.width);
    this.places[this.findPlace(bytes)] = slot + 1;
  }

  /** Returns a view of the bytes of a slot in use. */
  read(slot: number): Buffer {
    return this.rows.subarray(slot * this.width, (slot + 1) * this.width);
  }

  /** Frees a slot. Later entries move up, so that no probe ends too early. */
  delete(slot: number): void {
    let hole = this.findPlace(this.read(slot));
    for (let place = this.nextPlace(hole); this.places[place]; place = this.nextPlace(place)) {
      const slotPlusOne = this.places[place] ?? 0;
      const home = this.findHome(this.rows, slotPlusOne * this.width);
      const distance = (from: number) => (place - from) & (this.places.length - 1);
      if (distance(home) < distance(hole)) continue;
      this.places[hole] = slotPlusOne;
      hole = place;
    }
    this.places[hole] = 0;
  }

  private grow(): void {
    this.slotCount *= 2;
    this.rows = Buffer.concat([this.rows], this.slotCount * this.width);
    const usedPlaces = this.places.filter((place) => place !== 0);
    this.places = new Uint32Array(this.slotCount * 2);
    for (const slotPlusOne of usedPlaces) {
      let place = this.findHome(this.rows, slotPlusOne * this.width);
      while (this.places[place]) place = this.nextPlace(place);
      this.places[place] = slotPlusOne;
    }
  }
}
