import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"

/** Every line that the client reads, one for each that matters. */
async function session(program: Program, sends: readonly (readonly [object, string])[], ...args: readonly string[]) {
  const typed = sends.map(([command, until]) => [JSON.stringify(command), until] as const)
  const { status, out, err } = await program.gong(["rpc", ...args], { sends: [["", '"type":"session"'], ...typed] })
  const lines = program
    .plain(out)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const kept = lines.map(({ seq: _seq, time: _time, ...rest }) => rest)
  return {
    status,
    err: program.plain(err),
    lines: kept.filter(
      ({ type }) => !["session", "message_update", "message_start", "turn_start", "turn_end"].includes(String(type)),
    ),
  }
}

const bash = (command: string) => ({ calls: [{ name: "bash", args: { command } }] })

test("gong rpc: answers to questions, steering and follow-ups", async (t) => {
  const program = await openWithModel(t, {
    turns: [bash("touch a"), bash("touch b"), { text: "Done." }],
    otherwise: { text: "More." },
  })
  const { status, err, lines } = await session(program, [
    [{ id: 1, type: "prompt", text: "go" }, '"type":"permission_request"'],
    [{ id: 2, type: "get_state" }, '"id":2'],
    [{ id: 3, type: "prompt", text: "too soon" }, '"id":3'],
    [{ id: 4, type: "follow_up", text: "and then" }, '"id":4'],
    [{ id: 5, type: "follow_up", text: "never" }, '"id":5'],
    [{ id: 6, type: "compact" }, '"id":6'],
    [{ id: 7, type: "bash", command: "true" }, '"id":7'],
    [{ id: 8, type: "new_session" }, '"id":8'],
    [{ id: 9, type: "permission_reply", target: "p-call_1_1", choice: "maybe" }, '"id":9'],
    [{ id: "p-call_1_1", type: "permission_reply", choice: "once" }, '"type":"permission_request"'],
    [{ id: 10, type: "permission_reply", target: "p-call_2_1", choice: "no", message: "not b" }, '"type":"result"'],
    [{ id: 11, type: "get_messages", limit: 3 }, '"id":11'],
    [{ id: 12, type: "get_state" }, '"id":12'],
  ])
  assert.deepEqual([status, err], [0, ""])
  const reported = lines.filter(({ type }) => type !== "message_end")
  assert.deepEqual(
    reported.map((line) => JSON.stringify(line)),
    [
      '{"type":"model_select","model":"custom/mock","reason":"user","entry":"E1"}',
      '{"type":"response","id":1,"command":"prompt","success":true,"data":{"run":"E2","disposition":"started"}}',
      '{"type":"agent_start","prompt":"go","source":"user","run":"E2","entry":"E3"}',
      '{"type":"permission_request","id":"p-call_1_1","toolCallId":"call_1_1","tool":"bash","args":{"command":"touch a"},"title":"touch a","reason":"it is not known to only read","phrase":{"id":"it is not known to only read","values":[]},"preview":{"kind":"run","command":"touch a","cwd":"$REPO"},"choices":["once","session","always","no"],"suggestedRule":"bash(touch a)","rulesFile":"$GONG/permissions.json","run":"E2"}',
      '{"type":"response","id":2,"command":"get_state","success":true,"data":{"session":"S1","name":null,"cwd":"$REPO","workspace":"$REPO","tape":"$GONG/sessions/S1","leaf":"E5","model":"custom/mock","thinking":"off","contextWindow":128000,"tools":["read","write","edit","bash","grep","find","ls"],"permission":"ask","autoCompaction":true,"autoRetry":true,"run":"E2","working":null,"steer":[],"followUp":[],"questions":[{"id":"p-call_1_1","toolCallId":"call_1_1","tool":"bash","args":{"command":"touch a"},"title":"touch a","reason":"it is not known to only read","phrase":{"id":"it is not known to only read","values":[]},"preview":{"kind":"run","command":"touch a","cwd":"$REPO"},"choices":["once","session","always","no"],"suggestedRule":"bash(touch a)","rulesFile":"$GONG/permissions.json"}],"dialogs":[],"todos":[],"messages":2}}',
      '{"type":"response","id":3,"command":"prompt","success":false,"error":{"code":"busy","message":"The run E2 is in progress.","hint":"use steer or follow_up, or abort it first"}}',
      '{"type":"queue_update","steer":[],"followUp":[{"id":"E6","text":"and then"}],"run":"E2"}',
      '{"type":"response","id":4,"command":"follow_up","success":true,"data":{"id":"E6"}}',
      '{"type":"queue_update","steer":[],"followUp":[{"id":"E6","text":"and then"},{"id":"E7","text":"never"}],"run":"E2"}',
      '{"type":"response","id":5,"command":"follow_up","success":true,"data":{"id":"E7"}}',
      '{"type":"response","id":6,"command":"compact","success":false,"error":{"code":"busy","message":"The run E2 is in progress.","hint":"use steer or follow_up, or abort it first"}}',
      '{"type":"response","id":7,"command":"bash","success":false,"error":{"code":"busy","message":"The run E2 is in progress.","hint":"use steer or follow_up, or abort it first"}}',
      '{"type":"response","id":8,"command":"new_session","success":false,"error":{"code":"busy","message":"The run E2 is in progress.","hint":"use steer or follow_up, or abort it first"}}',
      '{"type":"response","id":9,"command":"permission_reply","success":false,"error":{"code":"bad_arguments","message":"permission_reply: /choice must be one of once, session, always, no."}}',
      '{"type":"response","id":"p-call_1_1","command":"permission_reply","success":true,"data":{}}',
      '{"type":"permission_end","id":"p-call_1_1","choice":"once","by":"user","run":"E2"}',
      '{"type":"tool_execution_start","toolCallId":"call_1_1","name":"bash","args":{"command":"touch a"},"title":"touch a","run":"E2","entry":"E8"}',
      '{"type":"tool_execution_end","toolCallId":"call_1_1","name":"bash","status":"ok","content":[{"type":"text","text":"(no output)"}],"details":{"command":"touch a","exit_code":0,"started_at":0,"duration_ms":0,"truncated":false},"durationMs":0,"run":"E2","entry":"E9"}',
      '{"type":"permission_request","id":"p-call_2_1","toolCallId":"call_2_1","tool":"bash","args":{"command":"touch b"},"title":"touch b","reason":"it is not known to only read","phrase":{"id":"it is not known to only read","values":[]},"preview":{"kind":"run","command":"touch b","cwd":"$REPO"},"choices":["once","session","always","no"],"suggestedRule":"bash(touch b)","rulesFile":"$GONG/permissions.json","run":"E2"}',
      '{"type":"response","id":10,"command":"permission_reply","success":true,"data":{}}',
      '{"type":"permission_end","id":"p-call_2_1","choice":"no","by":"user","run":"E2"}',
      '{"type":"tool_execution_end","toolCallId":"call_2_1","name":"bash","status":"refused","content":[{"type":"text","text":"Refused: the user said no to \\"touch b\\". Do not try another way around; go on without it, or stop and say what you need. The user said: not b"}],"details":null,"durationMs":0,"run":"E2","entry":"E12"}',
      '{"type":"agent_end","status":"done","run":"E2","entry":"E21"}',
      '{"type":"result","status":"done","exit":0,"text":"More.","session":"S1","turns":5,"toolCalls":2,"usage":{"input":600,"output":200,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":null,"cacheHitRate":0,"models":{"custom/mock":{"usage":{"input":600,"output":200,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":null}},"files":[{"change":"created","added":0,"removed":0,"path":"a"}],"denials":[{"tool":"bash","args":{"command":"touch b"},"reason":"Refused: the user said no to \\"touch b\\". Do not try another way around; go on without it, or stop and say what you need. The user said: not b","phrase":{"id":"Refused: the user said no to \\"{0}\\". {1}","values":["touch b","Do not try another way around; go on without it, or stop and say what you need. The user said: not b"]}}],"durationMs":0,"run":"E2"}',
      '{"type":"response","id":11,"command":"get_messages","success":true,"data":{"messages":[{"entry":"E3","message":{"role":"user","content":[{"type":"text","text":"go"}]}},{"entry":"E5","message":{"role":"assistant","content":[{"type":"tool_call","id":"call_1_1","name":"bash","arguments":{"command":"touch a"}}],"model":{"provider":"custom","id":"mock","api":"openai-completions"},"stopReason":"tool_calls","usage":{"input":120,"output":40,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":null,"durationMs":0,"firstTokenMs":0}},{"entry":"E9","message":{"role":"tool","toolCallId":"call_1_1","toolName":"bash","content":[{"type":"text","text":"(no output)"}],"details":{"command":"touch a","exit_code":0,"started_at":0,"duration_ms":0,"truncated":false},"isError":false,"status":"ok","durationMs":0}}],"more":true}}',
      '{"type":"response","id":12,"command":"get_state","success":true,"data":{"session":"S1","name":null,"cwd":"$REPO","workspace":"$REPO","tape":"$GONG/sessions/S1","leaf":"E21","model":"custom/mock","thinking":"off","contextWindow":128000,"tools":["read","write","edit","bash","grep","find","ls"],"permission":"ask","autoCompaction":true,"autoRetry":true,"run":null,"working":null,"steer":[],"followUp":[],"questions":[],"dialogs":[],"todos":[],"messages":10}}',
    ],
  )
})

test("gong rpc: an aborted run ends as interrupted, and its queued messages are returned", async (t) => {
  const program = await openWithModel(t, { turns: [bash("touch a")], otherwise: { text: "More." } })
  const { status, lines } = await session(program, [
    [{ id: 1, type: "prompt", text: "go" }, '"type":"permission_request"'],
    [{ id: 2, type: "steer", text: "left" }, '"id":2'],
    [{ id: 3, type: "clear_queue" }, '"id":3'],
    [{ id: 4, type: "abort" }, '"type":"result"'],
    [{ id: 5, type: "abort" }, '"id":5'],
  ])
  assert.deepEqual(
    [status, lines.filter(({ type }) => type === "response" || type === "result").map((line) => JSON.stringify(line))],
    [
      0,
      [
        '{"type":"response","id":1,"command":"prompt","success":true,"data":{"run":"E2","disposition":"started"}}',
        '{"type":"response","id":2,"command":"steer","success":true,"data":{"id":"E6"}}',
        '{"type":"response","id":3,"command":"clear_queue","success":true,"data":{"removed":[{"id":"E6","text":"left"}]}}',
        '{"type":"response","id":4,"command":"abort","success":true,"data":{"stopped":true}}',
        '{"type":"result","status":"interrupted","exit":130,"text":"","failure":{"kind":"aborted","message":"Operation aborted","retryable":false,"phrases":{"message":{"id":"Operation aborted","values":[]}}},"session":"S1","turns":1,"toolCalls":1,"usage":{"input":120,"output":40,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":null,"cacheHitRate":0,"models":{"custom/mock":{"usage":{"input":120,"output":40,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":null}},"files":[],"denials":[],"durationMs":0,"run":"E2"}',
        '{"type":"response","id":5,"command":"abort","success":true,"data":{"stopped":false}}',
      ],
    ],
  )
})
