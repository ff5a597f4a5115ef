package dev.idspring.sample;

import java.net.URI;
import java.util.List;

import io.nayuki.qrcodegen.QrCode;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The HTTP interface of the link shortener.
 */
@RestController
class LinkController {

	private static final int MAX_LINES = 100_000;

	/**
	 * The width of the white margin around a QR code, in modules. The standard requires
	 * this width.
	 */
	private static final int QUIET_ZONE = 4;

	private final Links links;

	LinkController(Links links) {
		this.links = links;
	}

	@PostMapping(path = "/links", consumes = MediaType.APPLICATION_JSON_VALUE)
	ResponseEntity<Link> shorten(@RequestBody LinkRequest request) {
		if (request.url() == null || request.url().isBlank()) {
			throw problem(HttpStatus.BAD_REQUEST, "The property 'url' is missing or blank.");
		}
		Link link = this.links.shorten(List.of(request.url())).get(0);
		return ResponseEntity.created(URI.create("/" + link.key())).body(link);
	}

	@PostMapping(path = "/links", consumes = MediaType.TEXT_PLAIN_VALUE)
	ResponseEntity<List<Link>> shortenAll(@RequestBody String text) {
		List<String> lines = text.lines().toList();
		if (lines.size() > MAX_LINES) {
			throw problem(HttpStatus.CONTENT_TOO_LARGE,
					"The request has " + lines.size() + " lines: send at most " + MAX_LINES + " at a time.");
		}
		return ResponseEntity.status(HttpStatus.CREATED).body(this.links.shorten(lines));
	}

	@GetMapping("/{key:[^.]+}")
	ResponseEntity<Void> follow(@PathVariable String key) {
		String url = this.links.follow(key).orElseThrow(() -> unknown(key));
		return ResponseEntity.status(HttpStatus.FOUND).location(URI.create(url)).build();
	}

	@GetMapping("/links/{id}")
	Link find(@PathVariable String id) {
		return this.links.find(id).orElseThrow(() -> unknown(id));
	}

	/**
	 * Return the QR code of the short link as an image.
	 */
	@GetMapping(path = "/links/{id}/qr.svg", produces = "image/svg+xml")
	String qrCode(@PathVariable String id, UriComponentsBuilder shortUrl) {
		QrCode code = QrCode.encodeText(shortUrl.path("/" + find(id).key()).toUriString(), QrCode.Ecc.MEDIUM);
		int size = code.size + 2 * QUIET_ZONE;
		StringBuilder darkModules = new StringBuilder();
		for (int y = 0; y < code.size; y++) {
			for (int x = 0; x < code.size; x++) {
				darkModules
					.append(code.getModule(x, y) ? "M%s,%sh1v1h-1z".formatted(x + QUIET_ZONE, y + QUIET_ZONE) : "");
			}
		}
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$s %1$s\" shape-rendering=\"crispEdges\">"
			.formatted(size) + "<path d=\"M0,0h%1$sv%1$sH0z\" fill=\"#fff\"/><path d=\"".formatted(size) + darkModules
				+ "\"/></svg>";
	}

	private static ErrorResponseException unknown(String id) {
		return problem(HttpStatus.NOT_FOUND, "There is no link " + id);
	}

	private static ErrorResponseException problem(HttpStatus status, String detail) {
		return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, detail), null);
	}

}
