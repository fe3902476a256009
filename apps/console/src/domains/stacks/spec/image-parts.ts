export interface ImageParts {
  /** `registry.example.org:5000`; empty for a public registry. */
  host: string
  path: string
  tag: string
  digest: string
}

/** An image's name taken apart: `host/path:tag@digest`. What stands before the first slash is a host where it looks like one. */
export function imageParts(image: string): ImageParts {
  const [named = '', digest = ''] = image.split('@', 2)
  const slash = named.indexOf('/')
  const first = slash < 0 ? '' : named.slice(0, slash)
  const host = /[.:]/.test(first) || first === 'localhost' ? first : ''
  const rest = host === '' ? named : named.slice(slash + 1)
  const colon = rest.lastIndexOf(':')
  return colon > rest.lastIndexOf('/')
    ? { host, path: rest.slice(0, colon), tag: rest.slice(colon + 1), digest }
    : { host, path: rest, tag: '', digest }
}

/** The other way round. */
export const imageOf = ({ host, path, tag }: Pick<ImageParts, 'host' | 'path' | 'tag'>): string =>
  `${host === '' ? '' : `${host}/`}${path}${tag === '' ? '' : `:${tag}`}`

/** Of `sha256:1fc842ad…` the twelve characters that people compare. */
export const shortDigest = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12)
