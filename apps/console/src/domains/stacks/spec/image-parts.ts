export interface ImageParts {
  /** `registry.example.org:5000`; empty for a public registry. */
  host: string
  path: string
  tag: string
  digest: string
}

/** The parts of an image name: `host/path:tag@digest`. The text before the first slash may be a host. */
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

/** Composes an image name from its parts. */
export const imageOf = ({ host, path, tag }: Pick<ImageParts, 'host' | 'path' | 'tag'>): string =>
  `${host === '' ? '' : `${host}/`}${path}${tag === '' ? '' : `:${tag}`}`

/** The twelve characters of `sha256:1fc842ad…` that people compare. */
export const shortDigest = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12)
