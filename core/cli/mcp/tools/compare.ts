import { z } from 'zod'
import { flipsBetween, FLIPS } from '../flips.ts'
import { OVER, UNDER, sideOf } from '../inputs.ts'
import { CURSOR } from '../page.ts'
import { READS, tool } from '../tool.ts'

const Configuration = z.strictObject({
  ...UNDER,
  revision: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Domain file and preset as they were at a git revision.'),
})

/** `turnscope diff --base A --head B FILE…` */
export const compare = tool({
  name: 'compare',
  title: 'Compare two configurations',
  description:
    'Lists the turns that two configurations (presets, domain files, profiles, drafts, or a git revision of them) decide differently, over sessions and labelled texts.',
  input: z.strictObject({
    base: Configuration.default({}),
    head: Configuration.default({}),
    ...OVER,
    ...CURSOR,
  }),
  output: z.object(FLIPS),
  hints: READS,
  run: async (desk, { base: one, head: other, paths, labels, cursor }, waiting) => {
    const resolve = async ({ revision, ...under }: z.infer<typeof Configuration>) => {
      const side = sideOf(desk, under)
      if (revision === undefined || side.kind === 'revision') return desk.resolve(side)
      const config = side.kind === 'config' ? side.config : side.draft.config
      return desk.resolve({ kind: 'revision', config, revision })
    }
    const base = await resolve(one)
    const side = await resolve(other)
    const corpus = await desk.corpora.open({ paths, labels }, side, waiting)
    return flipsBetween({ corpus, base, side, places: desk.places, cursor, waiting })
  },
})
