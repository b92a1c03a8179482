import type { Feature } from './feature.ts'
import { toggleDock } from './dock.ts'
import './dock.css'

export const dock: Feature = {
  commands: {
    Lab: { dock: ['d', 'Open or close the dock', toggleDock] },
  },
}
