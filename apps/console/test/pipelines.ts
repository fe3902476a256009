import type { Pipeline } from '@gantry/contract/pipelines/pipelines'

/** A pipeline as the server answers it, for tests. */
export const pipeline = (change: Partial<Pipeline> = {}): Pipeline => ({
  id: 4,
  uuid: '00000000-0000-4000-8000-000000000000',
  appId: 2,
  groupName: 'Harbour',
  teamId: 1,
  projectName: 'lights',
  description: '',
  repository: null,
  lastBuild: null,
  paused: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...change,
})
