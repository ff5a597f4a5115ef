package dev.idspring.sample;

import dev.idspring.IdGenerationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Converts exceptions to problem details (RFC 9457).
 */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

	@ExceptionHandler
	ProblemDetail invalidLink(InvalidLinkException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
		problem.setTitle("Invalid URL");
		problem.setProperty("line", ex.line());
		return problem;
	}

	/**
	 * Usually, a generator throws this exception. The message states what is wrong with
	 * the id.
	 */
	@ExceptionHandler
	ProblemDetail malformedId(IllegalArgumentException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
		problem.setTitle("Malformed id");
		return problem;
	}

	/**
	 * No id is available at the moment, or all ids are used up. The log contains the
	 * cause.
	 */
	@ExceptionHandler
	ProblemDetail noId(IdGenerationException ex) {
		this.logger.error("No id could be issued", ex);
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"No id could be issued. Try again later.");
	}

}
