import { useState } from 'react'
import { useQuery } from '../../app/use-query.ts'
import { call } from '../../app/question.ts'
import { valueOf } from '../../app/async-data.ts'
import { Button, CopyButton } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form.tsx'
import { Section } from '../../ui/parts.tsx'
import { Name } from '../../ui/name.tsx'
import { coachAddress, giveTask } from '../../stores/coach/coach.ts'
import { type OfOutput, useCoach } from '../../stores/coach/store.ts'

/** [V61] The agent's plan and skill: those in the transcript, unless the operator gives others. */
export function CoachTaskSection({ output }: OfOutput) {
  const { plan, skill, criteria, planProblem } = output.context
  const given = useCoach(() => coachAddress()?.task)
  return (
    <Section
      title="Task"
      aside={given ? 'as you say' : plan === null && skill === null ? 'not known' : 'as recorded'}
    >
      <TaskForm key={`${given === undefined} ${plan} ${skill}`} plan={plan} skill={skill} />
      {planProblem !== null && (
        <p className="text-s bad" role="alert">
          ▲ {planProblem}
        </p>
      )}
      <p className="quiet text-s">
        {criteria.length > 0
          ? `${criteria.length} success criteria of the plan are part of the request.`
          : 'The success criteria of a plan become part of the request, and of what goes back.'}
      </p>
    </Section>
  )
}

/** [V63] Path of the log of every verdict. */
export function LogPath() {
  const { data } = useQuery(call('coach.log', {}, { where: 'The log of the coach' }))
  const known = valueOf(data)
  if (!known) return null
  return (
    <p className="coach-log quiet text-s inline-row gap-5">
      <span className="no-shrink">Every verdict is logged in</span>
      <code className="truncate" title={known.path}>
        <Name text={known.path} bare />
      </code>
      <CopyButton text={known.path} what="path of the log" />
    </p>
  )
}

type Props = Readonly<Record<'plan' | 'skill', string | null>>

function TaskForm({ plan, skill }: Props) {
  const given = useCoach(() => coachAddress()?.task)
  const [form, setForm] = useState({
    plan: given?.plan ?? plan ?? '',
    skill: given?.skill ?? skill ?? '',
  })
  const use = () => giveTask({ plan: form.plan.trim(), skill: form.skill.trim() })
  return (
    <form
      className="coach-task stack gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        use()
      }}
    >
      <Field label="Plan: path of its file">
        <Input
          value={form.plan}
          placeholder="docs/plan.md, or an absolute path"
          onText={(text) => setForm({ ...form, plan: text })}
        />
      </Field>
      <Field label="Skill">
        <Input value={form.skill} onText={(text) => setForm({ ...form, skill: text })} />
      </Field>
      <div className="row wrap">
        <Button small type="submit">
          Judge with this task
        </Button>
        {given && (
          <Button kind="link" onClick={() => giveTask(null)}>
            As the transcript says
          </Button>
        )}
      </div>
    </form>
  )
}
