import { useUrlState } from '../../../ui/table/url-state.ts'

/** What is chosen so far stands in the address. With `release` an existing one is upgraded. */
export const useChosen = () => useUrlState({ repo: '', chart: '', version: '', release: '', cluster: '' })
