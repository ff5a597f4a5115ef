package dev.idspring.sample.overview;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends what {@code /actuator/ids} says to all who have the page open, each second. The
 * endpoint is asked once for all of them, and not at all if there are none.
 * <p>
 * Whoever does not read what is sent blocks the thread that sends, until the container
 * gives the connection up. So each viewer has a thread of its own while something is sent
 * to it, and misses what comes meanwhile.
 */
@Component
class Live {

	/** Each one can hold a thread. */
	static final int MOST_VIEWERS = 50;

	private final IdsEndpoint endpoint;

	/**
	 * Answers of endpoints are otherwise for those who accept the actuator's own media
	 * types.
	 */
	private final JsonMapper json;

	private final Executor executor;

	private final List<Viewer> viewers = new CopyOnWriteArrayList<>();

	private volatile boolean closed;

	Live(IdsEndpoint endpoint, JsonMapper json, SimpleAsyncTaskExecutorBuilder executor) {
		this.endpoint = endpoint;
		this.json = json;
		this.executor = executor.threadNamePrefix("live-").build();
	}

	/**
	 * Begin to send to another viewer. If there are too many, drop the one that has been
	 * connected longest: it may be idle, and a page reconnects.
	 * @return what is sent, or nothing if all others hold a thread
	 */
	Optional<SseEmitter> open() {
		Viewer viewer = new Viewer(new SseEmitter(0L), new AtomicBoolean());
		this.viewers.add(viewer);
		if (this.viewers.size() > MOST_VIEWERS && !dropOldest(viewer)) {
			this.viewers.remove(viewer);
			return Optional.empty();
		}
		SseEmitter emitter = viewer.emitter();
		emitter.onCompletion(() -> this.viewers.remove(viewer));
		emitter.onError((ex) -> this.viewers.remove(viewer));
		if (this.closed) {
			emitter.complete();
		}
		return Optional.of(emitter);
	}

	private boolean dropOldest(Viewer added) {
		for (Viewer viewer : this.viewers) {
			if (viewer != added && viewer.busy().compareAndSet(false, true)) {
				this.viewers.remove(viewer);
				this.executor.execute(viewer.emitter()::complete);
				return true;
			}
		}
		return false;
	}

	@Scheduled(fixedDelay = 1000)
	void send() {
		if (this.viewers.isEmpty()) {
			return;
		}
		String ids = this.json.writeValueAsString(this.endpoint.ids());
		for (Viewer viewer : this.viewers) {
			if (viewer.busy().compareAndSet(false, true)) {
				this.executor.execute(() -> send(viewer, ids));
			}
		}
	}

	private void send(Viewer viewer, String ids) {
		try {
			viewer.emitter().send(ids, MediaType.APPLICATION_JSON);
		}
		catch (IOException | IllegalStateException ex) {
			// has gone, which the container finds as well, and tells
			this.viewers.remove(viewer);
		}
		finally {
			viewer.busy().set(false);
		}
	}

	/**
	 * Let viewers go before the web server waits for requests that are under way: these
	 * would not end.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed = true;
		// waits for what is being sent to the viewer
		this.viewers.forEach((viewer) -> this.executor.execute(viewer.emitter()::complete));
	}

	/**
	 * Somebody who has the page open.
	 *
	 * @param emitter sends to it
	 * @param busy whether something is being sent to it
	 */
	private record Viewer(SseEmitter emitter, AtomicBoolean busy) {

	}

}
