import type { Feature } from '../../app/feature.ts'
import { RawTab } from './raw.tsx'
import './raw.css'

export const raw: Feature = {
  tab: {
    id: 'raw',
    title: 'Raw',
    about: 'The record as it stands in the file',
    group: 'The record',
    key: '0',
    Content: RawTab,
  },
}
