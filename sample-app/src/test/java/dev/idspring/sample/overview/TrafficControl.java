package dev.idspring.sample.overview;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Simulates problems between a browser and the application. A parameter {@code call},
 * such as {@code GET /api/live}, selects the requests whose HTTP method, path and query
 * begin with it.
 */
class TrafficControl extends OncePerRequestFilter {

	private final Set<String> rejectedCalls = ConcurrentHashMap.newKeySet();

	private final Map<String, Blockade> delays = new ConcurrentHashMap<>();

	private final Map<String, Blockade> stalls = new ConcurrentHashMap<>();

	/**
	 * Answer the affected requests with status 503.
	 */
	void reject(String call) {
		this.rejectedCalls.add(call);
	}

	/**
	 * Stop rejecting requests.
	 */
	void allow() {
		this.rejectedCalls.clear();
	}

	/**
	 * Process the affected requests, but send their responses only when the returned
	 * object is closed.
	 */
	Blockade delay(String call) {
		Blockade blockade = new Blockade(this.delays, call);
		this.delays.put(call, blockade);
		return blockade;
	}

	/**
	 * Block the threads that write the responses until the returned object is closed.
	 */
	Blockade stall(String call) {
		Blockade blockade = new Blockade(this.stalls, call);
		this.stalls.put(call, blockade);
		return blockade;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String query = request.getQueryString();
		String call = request.getMethod() + " " + request.getRequestURI() + ((query != null) ? "?" + query : "");
		Blockade delay = find(this.delays, call);
		Blockade stall = find(this.stalls, call);
		if (this.rejectedCalls.stream().anyMatch(call::startsWith)) {
			response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
		}
		else if (delay != null) {
			ContentCachingResponseWrapper cached = new ContentCachingResponseWrapper(response);
			chain.doFilter(request, cached);
			delay.await();
			cached.copyBodyToResponse();
		}
		else {
			chain.doFilter(request, (stall != null) ? new StalledResponse(response, stall) : response);
		}
	}

	private static Blockade find(Map<String, Blockade> blockades, String call) {
		return blockades.entrySet()
			.stream()
			.filter((entry) -> call.startsWith(entry.getKey()))
			.map(Map.Entry::getValue)
			.findAny()
			.orElse(null);
	}

	/**
	 * Blocks the affected responses until this object is closed.
	 */
	static final class Blockade implements AutoCloseable {

		private final Map<String, Blockade> blockades;

		private final String call;

		private final CountDownLatch reached = new CountDownLatch(1);

		private final CountDownLatch released = new CountDownLatch(1);

		private Blockade(Map<String, Blockade> blockades, String call) {
			this.blockades = blockades;
			this.call = call;
		}

		/**
		 * Wait until this object blocks a response.
		 * @return whether this happened before the timeout
		 */
		boolean awaitBlockedResponse(Duration timeout) throws InterruptedException {
			return this.reached.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
		}

		private void await() throws IOException {
			this.reached.countDown();
			try {
				if (!this.released.await(2, TimeUnit.MINUTES)) {
					throw new IOException("The test did not release " + this.call);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IOException(ex);
			}
		}

		@Override
		public void close() {
			this.blockades.remove(this.call);
			this.released.countDown();
		}

	}

	/**
	 * A response to a client that does not read it.
	 */
	private static final class StalledResponse extends HttpServletResponseWrapper {

		private final Blockade blockade;

		private StalledResponse(HttpServletResponse response, Blockade blockade) {
			super(response);
			this.blockade = blockade;
		}

		@Override
		public void flushBuffer() throws IOException {
			this.blockade.await();
			super.flushBuffer();
		}

		@Override
		public ServletOutputStream getOutputStream() throws IOException {
			ServletOutputStream stream = super.getOutputStream();
			Blockade blockade = this.blockade;
			return new ServletOutputStream() {

				@Override
				public void write(int b) throws IOException {
					blockade.await();
					stream.write(b);
				}

				@Override
				public boolean isReady() {
					return stream.isReady();
				}

				@Override
				public void setWriteListener(WriteListener listener) {
					stream.setWriteListener(listener);
				}

			};
		}

	}

}
