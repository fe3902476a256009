import { storage } from '@gantry/contract/clusters/storage'
import { volumesTopic } from '@gantry/contract/clusters/topics'
import { serve } from '../../../http/push/sources.ts'
import { defineModule } from '../../../module.ts'
import { scopedSource } from '../live/watch.ts'
import { createDriver, listDrivers, removeDriver, setDefaultDriver } from './drivers.service.ts'
import { activateVolume, createVolume, listVolumes, reclaimVolume, removeVolume } from './volumes.service.ts'
import { watchVolumes } from './volumes.watch.ts'

export const module = defineModule({
  routes(route) {
    route(storage.volumes, (ctx, { params, query }) => listVolumes(ctx, params.env, query))
    route(storage.createVolume, (ctx, { params, body }) => createVolume(ctx, params.env, body))
    route(storage.removeVolume, (ctx, { params }) => removeVolume(ctx, params.env, params.name))
    route(storage.activate, (ctx, { params }) => activateVolume(ctx, params.env, params.name))
    route(storage.reclaim, (ctx, { params }) => reclaimVolume(ctx, params.env, params.name))
    route(storage.drivers, (ctx, { params }) => listDrivers(ctx, params.env))
    route(storage.createDriver, (ctx, { params, body }) => createDriver(ctx, params.env, body))
    route(storage.setDefaultDriver, (ctx, { params }) => setDefaultDriver(ctx, params.env, params.name))
    route(storage.removeDriver, (ctx, { params }) => removeDriver(ctx, params.env, params.name))
  },
  topics: [serve(volumesTopic, scopedSource(watchVolumes))],
})
