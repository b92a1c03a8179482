import { Compared, Decider } from '../engine/schema/compare.ts'
import {
  Picture,
  PictureKind,
  PictureTheme,
  TransitionMap,
  TurnRange,
} from '../engine/schema/picture.ts'
import { ReplayConfig } from '../engine/schema/replay.ts'
import { call, stream } from './method.ts'
import { FilePath, session, steps, variant } from './shapes.ts'

const theme = PictureTheme
const turns = TurnRange.nullable()
const drawn = steps(variant('drawn', { picture: Picture }))

/** [U150] Pictures of a session, of all sessions of a file, and of a folder of the library. */
export const picturesContract = {
  'pictures.draw': stream(
    'session',
    {
      ...session,
      turns,
      theme,
      kind: PictureKind,
      config: Decider,
      /** The other side; a budget has none. */
      compare: Compared.nullable(),
    },
    drawn,
    { packed: true },
  ),
  /** [U153] The map of transitions with the turns of each cell. */
  'pictures.transitions': call('session', { ...session, config: Decider, turns }, TransitionMap, {
    packed: true,
  }),
  /** Small multiples of the files of a folder, read and replayed one after the other. */
  'pictures.folder': stream(
    'main',
    { folder: FilePath, config: ReplayConfig, compare: ReplayConfig.nullable(), theme },
    drawn,
    { packed: true },
  ),
} as const
