import { useMemo, useState } from 'react'
import type { Output } from '../../../core/wire/rpc.ts'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import { call } from '../../app/question.ts'
import { useApp } from '../../app/use-store.ts'
import { useQuery } from '../../app/use-query.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Section } from '../../ui/parts.tsx'
import { samplesNow } from '../../stores/probe/probe.ts'

type Answer = Output<TurnscopeContract, 'probe.retrieve'>
type Found = Answer['documents'][number]

const MOST = 20
const MOST_TEXT = 200_000
const SHOWN = 160
const ORIGINS: Readonly<Record<Found['origin'], string>> = {
  probe: 'seed: the probe hit it',
  adjacent: 'beside a seed',
  retrieval: 'found by retrieval',
}

/** [D68] The retrieval step after the probe: skipped collections, seeds, neighbors, and one merged list. */
export function Retrieved({ text }: { readonly text: string }) {
  const [wanted, setWanted] = useState(false)
  const preset = useApp((state) => state.view.run.preset)
  const question = useMemo(
    () =>
      wanted
        ? call(
            'probe.retrieve',
            { text: text.slice(0, MOST_TEXT), preset, most: MOST, samples: samplesNow() },
            { where: 'Retrieval' },
          )
        : null,
    [wanted, text, preset],
  )
  const { data, again } = useQuery<Answer>(question)
  return (
    <Section title="Retrieval after the probe">
      {wanted ? (
        <Answered data={data} retry={again}>
          {(answer) => <Merged answer={answer} />}
        </Answered>
      ) : (
        <Button onClick={() => setWanted(true)}>Show what is retrieved</Button>
      )}
    </Section>
  )
}

function Merged({ answer: { skipped, documents } }: { readonly answer: Answer }) {
  return (
    <>
      <p className="mb-8">
        {skipped.length === 0
          ? 'No collection is skipped: the probe hit none.'
          : `Not asked again, because the probe hit them: ${skipped.join(', ')}.`}
      </p>
      {documents.length === 0 ? (
        <p className="quiet">Nothing is retrieved.</p>
      ) : (
        <DataTable
          className="text-s full-width"
          label="Merged documents"
          rows={documents}
          keyOf={({ collection, filename, chunk_idx }) => `${collection}/${filename}#${chunk_idx}`}
          columns={[
            {
              head: 'document',
              isName: true,
              cell: (each) => `${each.filename} #${each.chunk_idx}`,
            },
            { head: 'collection', cell: ({ collection }) => collection },
            { head: 'why', cell: ({ origin }) => ORIGINS[origin] },
            { head: 'score', num: true, cell: ({ score }) => score?.toFixed(2) ?? '' },
            { head: 'text', cell: (each) => each.text.slice(0, SHOWN) },
          ]}
        />
      )}
    </>
  )
}
