import { hint } from '../topic.ts'

/** A Harbor was added, changed or removed, or its projects were given to other teams. */
export const harborsTopic = hint({
  path: 'harbors',
  access: 'admin',
})

/** What a team has in Harbors: projects came or went, or its right to pull from them changed. */
export const namespacesTopic = hint({
  path: 'harbor-namespaces/:teamId',
  access: { team: 'teamId', permission: 'image_harbor_view' },
})

/** What is in a Harbor: repositories, tags, scans, copies. */
export const contentsTopic = hint({ path: 'harbor-contents/:harborId', access: { owner: 'harbor', by: 'harborId' } })
