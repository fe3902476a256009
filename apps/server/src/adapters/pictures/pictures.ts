/** Draws pictures of people anew, so that nothing of what they sent is kept but what one sees. */
export interface Pictures {
  /**
   * A square WebP of `size` pixels, its middle: turned as the camera was held, without metadata, and still. Undefined where
   * the bytes are no JPEG or PNG, or one that unpacks to more than 25 million pixels.
   */
  square: (bytes: Buffer, size: number) => Promise<Buffer | undefined>
}
