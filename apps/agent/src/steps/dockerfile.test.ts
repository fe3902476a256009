import { expect, test } from 'vitest'
import { imagesOfHost, withLocalNames } from './dockerfile.ts'

const text = `ARG VERSION=1
ARG BASE="host:5000/team/base"
FROM \${BASE}:$VERSION AS build
FROM other:5000/team/base:1
COPY --from=host:5000/team/tools@sha256:abc /a /b
COPY --from=build /a /b
FROM host:5000/\${MISSING:-team/last}
`

const images = (given: Record<string, string> = {}) =>
  imagesOfHost(text, 'host:5000', new Map(Object.entries(given))).map(({ image }) => image)

test('finds the images of the step’s own registry, with the values of arguments', () => {
  expect(images()).toEqual(['team/base:1', 'team/tools@sha256:abc', 'team/last'])
  expect(images({ VERSION: '2' })[0]).toBe('team/base:2')
  expect(images({ BASE: 'elsewhere/base' })).toEqual(['team/tools@sha256:abc', 'team/last'])
})

test('replaces them by local names, and changes nothing else', () => {
  const uses = imagesOfHost(text, 'host:5000', new Map())
  const made = withLocalNames(text, uses, (image) => `localhost/${image.split(/[:@]/)[0]}`)
  expect(made.split('\n').slice(2, 7)).toEqual([
    'FROM localhost/team/base AS build',
    'FROM other:5000/team/base:1',
    'COPY --from=localhost/team/tools /a /b',
    'COPY --from=build /a /b',
    'FROM localhost/team/last',
  ])
})
