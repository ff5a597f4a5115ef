package dev.idspring.sample.overview;

import java.util.Optional;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The HTTP interface of the demonstration page.
 */
@RestController
@RequestMapping("/api")
class OverviewController {

	/**
	 * The maximum number of ids per request. For more ids, the page sends several
	 * requests, so that it can show the progress.
	 */
	private static final int MAX_COUNT = 5_000;

	private final Overview overview;

	private final LiveUpdates live;

	OverviewController(Overview overview, LiveUpdates live) {
		this.overview = overview;
		this.live = live;
	}

	@PostMapping("/generators/{name}/ids")
	ChartData draw(@PathVariable String name, @RequestParam(defaultValue = "1") int count) {
		if (count < 1 || count > MAX_COUNT) {
			throw problem(HttpStatus.BAD_REQUEST, "The parameter 'count' must be from 1 to " + MAX_COUNT + ".");
		}
		return found(name, this.overview.draw(name, count));
	}

	@GetMapping("/generators/{name}/ids")
	ChartData drawn(@PathVariable String name) {
		return found(name, this.overview.drawn(name));
	}

	@GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	SseEmitter live() {
		return this.live.open()
			.orElseThrow(
					() -> problem(HttpStatus.SERVICE_UNAVAILABLE, "Too many viewers are connected at the moment."));
	}

	private static ChartData found(String name, Optional<ChartData> drawn) {
		return drawn.orElseThrow(() -> problem(HttpStatus.NOT_FOUND, "There is no generator '" + name + "'."));
	}

	private static ErrorResponseException problem(HttpStatus status, String detail) {
		return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, detail), null);
	}

}
