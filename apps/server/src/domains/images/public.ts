export { registriesForBuild, registryAccess, registryHost, removeImages, usableRegistry } from './registries.service.ts'
export { sandboxRegistry } from './registries.store.ts'
