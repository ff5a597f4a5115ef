package dev.idspring.sample.overview;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.idspring.actuate.IdsEndpoint;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends what {@code /actuator/ids} says to all who have the page open, each second. The
 * endpoint is asked once for all of them, and not at all if there is nobody.
 */
@Component
class Live {

	private final IdsEndpoint endpoint;

	/**
	 * Answers of endpoints are otherwise for those who accept the actuator's own media
	 * types.
	 */
	private final JsonMapper json;

	private final List<SseEmitter> viewers = new CopyOnWriteArrayList<>();

	private volatile boolean closed;

	Live(IdsEndpoint endpoint, JsonMapper json) {
		this.endpoint = endpoint;
		this.json = json;
	}

	SseEmitter open() {
		SseEmitter viewer = new SseEmitter(0L);
		viewer.onCompletion(() -> this.viewers.remove(viewer));
		viewer.onError((ex) -> this.viewers.remove(viewer));
		this.viewers.add(viewer);
		if (this.closed) {
			viewer.complete();
		}
		return viewer;
	}

	@Scheduled(fixedDelay = 1000)
	void send() {
		if (this.viewers.isEmpty()) {
			return;
		}
		String ids = this.json.writeValueAsString(this.endpoint.ids());
		for (SseEmitter viewer : this.viewers) {
			try {
				viewer.send(ids, MediaType.APPLICATION_JSON);
			}
			catch (IOException | IllegalStateException ex) {
				// has gone, which the container finds as well, and tells
				this.viewers.remove(viewer);
			}
		}
	}

	/**
	 * Let viewers go before the web server waits for requests that are under way: these
	 * would not end.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed = true;
		this.viewers.forEach(SseEmitter::complete);
	}

}
