/** Re-encodes pictures of users, so that nothing of the upload is kept except what is visible. */
export interface Pictures {
  /**
   * A square WebP of `size` pixels from the middle: rotated as its metadata says, without metadata or animation.
   * Undefined where the bytes are not a JPEG or PNG, or decode to more than 25 million pixels.
   */
  square: (bytes: Buffer, size: number) => Promise<Buffer | undefined>
}

/** Beyond this, even a picture that is small when compressed would fill the memory. */
const maxPixels = 25_000_000
const maxSeconds = 10

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = Buffer.from([0xff, 0xd8, 0xff])

const begins = (bytes: Buffer, magic: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic)

/** Loads the library with the first picture; libvips then reads two formats only: more parsers are a needless risk. */
async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
  return sharp
}

/** Processes one picture at a time: each may take 100 MB briefly. */
export function sharpPictures(): Pictures {
  let sharp: ReturnType<typeof load> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function draw(bytes: Buffer, size: number): Promise<Buffer | undefined> {
    sharp ??= load()
    const draw = await sharp
    try {
      return await draw(bytes, { limitInputPixels: maxPixels, autoOrient: true, failOn: 'error' })
        .timeout({ seconds: maxSeconds })
        .resize(size, size, { fit: 'cover' })
        .webp({ quality: 85 })
        .toBuffer()
    } catch {
      // broken, too large, or neither JPEG nor PNG
      return undefined
    }
  }

  return {
    square: (bytes, size) => {
      if (!begins(bytes, png) && !begins(bytes, jpeg)) return Promise.resolve(undefined)
      const drawn = last.then(() => draw(bytes, size))
      last = drawn
      return drawn
    },
  }
}
