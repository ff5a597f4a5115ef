package dev.idspring.sample.event;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The HTTP interface of the event log.
 */
@RestController
@RequestMapping("/events")
class EventController {

	private static final int MAX_TYPE_LENGTH = 100;

	private static final int MAX_DETAIL_LENGTH = 2_000;

	private static final int MAX_LIMIT = 1_000;

	private final Events events;

	EventController(Events events) {
		this.events = events;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Event log(@RequestBody EventRequest request) {
		String type = request.type();
		if (type == null || type.isBlank() || type.length() > MAX_TYPE_LENGTH) {
			throw problem("The property 'type' must have 1 to " + MAX_TYPE_LENGTH + " characters.");
		}
		String detail = (request.detail() != null) ? request.detail() : "";
		if (detail.length() > MAX_DETAIL_LENGTH) {
			throw problem("The property 'detail' must have at most " + MAX_DETAIL_LENGTH + " characters.");
		}
		return this.events.log(type, detail);
	}

	@GetMapping
	EventPage since(@RequestParam(defaultValue = "0") String since, @RequestParam(defaultValue = "100") int limit) {
		if (limit < 1 || limit > MAX_LIMIT) {
			throw problem("The parameter 'limit' must be from 1 to " + MAX_LIMIT + ".");
		}
		return this.events.since(since, limit);
	}

	private static ErrorResponseException problem(String detail) {
		return new ErrorResponseException(HttpStatus.BAD_REQUEST,
				ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, detail), null);
	}

}
