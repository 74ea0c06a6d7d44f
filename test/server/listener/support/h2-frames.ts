/** Frames of RFC 9113, for clients that node:http2 would not let misbehave. */
export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export const FRAME_TYPE = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  continuation: 9,
} as const;

export function frame(type: number, flags: number, streamId: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

export const EMPTY_SETTINGS = frame(FRAME_TYPE.settings, 0, 0);
export const SETTINGS_ACK = frame(FRAME_TYPE.settings, 1, 0);

/** HPACK: GET / over http with :authority "a", all without the dynamic table. */
export const GET_HEADER_BLOCK = Buffer.from([0x82, 0x86, 0x84, 0x01, 0x01, 0x61]);

export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;

/** The types of the frames in what a server sent, in order, with the payloads. */
export function parseFrames(latin1: string): { type: number; flags: number; streamId: number; payload: Buffer }[] {
  const bytes = Buffer.from(latin1, "latin1");
  const frames = [];
  for (let at = 0; at + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(at, 3);
    frames.push({
      type: bytes.readUInt8(at + 3),
      flags: bytes.readUInt8(at + 4),
      streamId: bytes.readUInt32BE(at + 5),
      payload: bytes.subarray(at + 9, at + 9 + length),
    });
    at += 9 + length;
  }
  return frames;
}
