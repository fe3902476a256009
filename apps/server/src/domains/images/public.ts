export { pullCredential, registriesForBuild, removeImages, usableRegistry } from './registries.service.ts'
export { sandboxRegistry } from './registries.store.ts'
export { inPrefix, refuseOthersImage, refuseOthersRepositories, stepToken } from './sandbox.service.ts'
