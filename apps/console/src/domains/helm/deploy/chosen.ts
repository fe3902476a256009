import { useUrlState } from '../../../ui/table/url-state.ts'

/** The choices so far, stored in the address. With `release` an existing release is upgraded. */
export const useChosen = () => useUrlState({ repo: '', chart: '', version: '', release: '', cluster: '' })
