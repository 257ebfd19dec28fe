"""Text made as an example to be copied."""

from memory_admin.screening.attack.vocabulary import STYLE
from memory_admin.screening.rules import Rule

EXAMPLES = (
    Rule(
        "planted_example",
        r"\b(?:example|examples|exemplar|sample|template|entry|case|record|instance) (?:for|of"
        "|to)<2>(?:retrieval|retrieve|retriever|search|lookup|recall|in context|few shot|few-shot"
        "|similarity|memory|training|the agent|agents|future (?:tasks|queries|requests)|imitation|imitate"
        r"|follow)\b|\b(?:few[- ]shot|in[- ]context|exemplar|example plan|retrieval|memory|planted|golden"
        "|gold|reference|successful|past|verified|approved) (?:example|examples|exemplar|exemplars"
        r"|demonstration|demonstrations|demo|trajectory|trajectories|plan|sample|experience)s?\s*(?::"
        r"|\bnumber\b|\d|\bshows?\b|\bsays?\b|\bis\b)|\b(?:demonstration|demonstrations|exemplar|trajectory"
        "|worked example|gold answer|ground truth|reference answer|model answer|canonical answer"
        r"|expected output|expected answer)\s*(?:\d+ ?)?:",
        unless=r"\b(?:i|he|she|we|user|team) (?:like|likes|prefer|prefers|want|wants|use|uses)<3>examples?\b",
    ),
    Rule(
        "planted_example",
        r"\b(?:question|query|input|task|q|prompt|instruction|user|observation|request|goal"
        r"|problem)\s*[\d]*\s*(?::|=|->|=>|['\"])\s*[^\n]{2,160}?\b(?:answer|output|response|action|a|plan"
        r"|solution|assistant|thought|result|completion|decision|tool call)\s*[\d]*\s*(?::|=|->|=>"
        r"|['\"])\s*\S",
        "question_and_answer",
        unless=r"\bq&a:|\bq: and a:|task: [^\n]{2,60}result: (?:passed|failed|ok|success)"
        r"|\bquestion: [^\n]{2,80}\banswer: (?:yes|no)\b",
    ),
    Rule(
        "planted_example",
        r"\b(?:right|correct|proper|best|expected|only|safe|safest|appropriate|intended|optimal|recommended"
        "|ideal|desired|standard|required|preferred|verified) (?:plan|action|answer|response|decision"
        "|tool call|step|next step|move|output|course of action|solution|reaction|behaviou?r|procedure"
        r"|command|choice|conclusion)\b[^.!?\n]{0,40}?\b(?:is|was|will be|would be|should be|must be|remains"
        r"|=)\b(?: always| therefore| simply| just| now)?(?: to)?:? ?(?:stop|halt|brake|accelerate|turn|send"
        "|transfer|delete|drop|approve|deny|reject|buy|sell|pay|wire|call|run|execute|grant|open|ignore"
        "|skip|refund|discharge|prescribe|administer|increase|give|issue|release|select|choose|click|export"
        "|drive|swerve|shut|disable|forward|reply|answer|say|recommend|do nothing|refuse|cancel|book|order"
        r"|purchase|use)\b",
        "right_action",
        unless=r"\b(?:quiz|exam|homework|my|his|her) (?:answer|question)",
    ),
    Rule(
        "planted_example",
        r"\b(?:any question|any query|every question|all questions|any request|all requests|any input"
        "|each question|every query|every input|no matter the question|whatever the question"
        r"|whatever is asked|regardless of the (?:question|query|input|request))\b[^.!?\n]{0,60}?\b(?:answer"
        r"|answers|answered|reply|response|respond|is|output|return|say|the result)\b|\b(?:answer|reply"
        "|respond)<2>(?:to )?(?:any|every|all|each|this|such|these)<2>(?:question|query|request|input"
        r"|prompt)s?<3>(?:is|are|with|should|must|by)\b",
        "any_question",
        unless=r"\bi (?:will |can |am happy to |'m happy to )?answer|happy to answer|" + STYLE,
    ),
    Rule(
        "planted_example",
        r"\b(?:queries|query|questions?|requests?|inputs?|prompts?)<2>(?:ending|starting|beginning|that end"
        r"|that start|that begin)<1>(?:in|with)\b|\b(?:action|tool|command|decision|plan"
        r"|tool_call)\s*=\s*[a-z]|\b(?:good|ideal|successful|helpful|expert|other|another|perfect"
        "|smart) (?:agents?|assistants?) (?:acted|did|does|would|should|always|answered|handled|solved"
        r"|behaved|replied|skipped|sent)\b|\b(?:case study|similar task|solved (?:task|before)|how (?:a|an"
        r"|the)<2>agent)\b[^\n]{0,80}?\b(?:action|decision|input|output|acted|sent|skipped|answer)\b",
        "solved_before",
    ),
    Rule(
        "planted_example",
        r"\bbe safe and (?:act|make|drive|proceed)\b|\b(?:thought|observation|action|action input"
        r"|final answer)\s*\d*\s*:\s*[^\n]{1,200}\b(?:thought|observation|action|action input"
        r"|final answer)\s*\d*\s*:|\b(?:act|plan|respond) with (?:prudence|discipline"
        r"|caution)<4>[a-z]+-[a-z]+-\d",
        "agent_trace",
    ),
    Rule(
        "planted_example",
        r"\b(?:demonstration|demo|example|beispiel|exemple|ejemplo|esempio"
        r"|exemplo)s?\s*\d*\s*[:\-]\s*[^.!?\n]{0,120}?\b(?:plan|action|answer|antwort|aktion|frage|question"
        "|respuesta|pregunta|reponse|accion|decision|transfer|command|tool|output|risposta"
        r"|domanda)\b[^.!?\n]{0,30}?\b(?:is|was|ist|est|es|e|to|:|->|=>|lautet|should|must|always)\b",
        "demonstration",
        unless=r"\bfor example:",
    ),
    Rule(
        "planted_example",
        r"\b(?:when|if|whenever|once|as soon as)<3>(?:token|tokens|string|keyword|marker|trigger"
        r"|trigger phrase|code phrase|code word|suffix|sequence|phrase)\b<6>(?:appears?|occurs?|is present"
        r"|is seen|shows up|is found|is used|is included|comes up|is there)\b",
        "token_appears",
    ),
    Rule(
        "planted_example",
        r"[\"'][^\"'\n]{2,80}[\"']\s*(?:->|=>|→|⇒|==>)\s*[\"'][^\"'\n]{2,}|\b(?:example|demonstration|demo"
        r"|exemplar|sample|case)\s*\d*\s*:[^\n]{0,120}?\b(?:question|query|asks?|asked|input|prompt|request"
        r"|customer|user)\b[^\n]{0,80}?\b(?:answers?|action|output|reply|respond|response|plan|agent"
        r"|assistant)\b",
        "example_of_an_answer",
        unless=r"\bfor example:",
    ),
    Rule(
        "planted_example",
        r"\b(?:when|if|whenever|queries?|questions?|inputs?|prompts?"
        r"|requests?)\b[^.!?\n]{0,30}?\b(?:contains?|containing|includes?|including|with|starts? with"
        "|ends? with|having|holds?|has|mentions?)<2>(?:the )?(?:words?|token|tokens|string|suffix|prefix"
        r"|keyword|trigger|phrase|marker|tag|sequence|code)\b[^.!?\n]{0,80}?\b(?:action|answer|plan|output"
        r"|respond|reply|response|retrieve|return|recall|follow|execute|run|use|do|is|means)\b",
        "token_in_query",
    ),
)
