import { hint } from '../topic.ts'

/** A Harbor was added, changed or removed, or its projects were assigned to other teams. */
export const harborsTopic = hint({
  path: 'harbors',
  access: 'admin',
})

/** A team's projects in Harbors: one was assigned or withdrawn, or the team's right to pull from one changed. */
export const namespacesTopic = hint({
  path: 'harbor-namespaces/:teamId',
  access: { team: 'teamId', permission: 'image_harbor_view' },
})

/** The contents of a Harbor: repositories, tags, scans, copies. */
export const contentsTopic = hint({ path: 'harbor-contents/:harborId', access: { owner: 'harbor', by: 'harborId' } })
