import { to, type Search, type To } from '../../../ui/link.tsx'

/** The parameters of a pipeline in the addresses of its screens. */
export interface PipelinePlace {
  id: number
  /** Its group. */
  appId: number
}

export interface Runnable extends PipelinePlace {
  projectName: string
}

export type PipelineScreen =
  | 'cd-history'
  | 'cd-docker-image'
  | 'cd-report'
  | 'cd-orchestration'
  | 'cd-setting'
  | 'cd-examine'
  | 'cd-versions'

const params = ({ id, appId }: PipelinePlace) => ({ pipeline_group_id: appId, pipeline_id: id })

export const toPipeline = (screen: PipelineScreen, place: PipelinePlace, search?: Search): To =>
  to(screen, params(place), search)

export const toBuild = (place: PipelinePlace, number: number, search?: Search): To =>
  to('cd-build-info', { ...params(place), build_number: number }, search)

export const toArtifacts = (place: PipelinePlace, number: number): To =>
  to('cd-build-artifacts', { ...params(place), build_number: number })

/** A key that starts one build per intention, however often it is sent. Works without a secure context too. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
