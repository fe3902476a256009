import { parseImageRef } from '../../../adapters/registry/image-ref.ts'
import { imagesOf, type ManifestObject, objectsOf } from './manifest.ts'
import { type HelmRecord, inForce } from './record.ts'
import type { ReleaseImage } from './releases.store.ts'

/** The images of one revision; anything that is no valid image name is left out. */
export const imagesOfRevision = (
  objects: readonly ManifestObject[],
  { revision, runs }: Pick<ReleaseImage, 'revision' | 'runs'>,
): ReleaseImage[] =>
  imagesOf(objects).flatMap((image) => {
    const path = parseImageRef(image)?.repository
    return path === undefined ? [] : [{ revision, runs, image, path }]
  })

/** The images of every revision that helm keeps. Those after the one in force failed, but their pods may run too. */
export function imagesOfRecords(records: readonly HelmRecord[]): ReleaseImage[] {
  const now = inForce(records)?.version ?? 0
  return records.flatMap(({ version, manifest, hooks, namespace }) => {
    const documents = [manifest, ...hooks.map((hook) => hook.manifest)]
    const objects = documents.flatMap((one) => objectsOf(one, namespace))
    return imagesOfRevision(objects, { revision: version, runs: version >= now })
  })
}
