package dev.idspring.lab;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * A proxy between a database and its clients that injects network faults. A single thread
 * handles all connections, so no locks are needed.
 */
final class FaultProxy implements AutoCloseable {

	private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final int databasePort;

	private final Random random;

	private final Channel server;

	private volatile Conditions conditions = Conditions.NORMAL;

	/**
	 * Listen on a free port.
	 * @param databasePort the port of the database
	 */
	FaultProxy(int databasePort, Random random) {
		this.databasePort = databasePort;
		this.random = random;
		this.server = new ServerBootstrap().group(this.loop)
			.channel(NioServerSocketChannel.class)
			.childOption(ChannelOption.AUTO_READ, false)
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childHandler(new ChannelInitializer<>() {

				@Override
				protected void initChannel(Channel client) {
					new Link(client).open();
				}

			})
			.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
			.syncUninterruptibly()
			.channel();
	}

	int port() {
		return ((InetSocketAddress) this.server.localAddress()).getPort();
	}

	/**
	 * Set how data is forwarded from now on.
	 */
	void set(Conditions conditions) {
		this.conditions = conditions;
		this.loop.submit(() -> this.links.forEach(Link::drawBudget)).syncUninterruptibly();
	}

	/**
	 * Cut all connections.
	 */
	void cutAll() {
		this.loop.submit(() -> this.links.forEach(Link::cut)).syncUninterruptibly();
	}

	@Override
	public void close() {
		this.server.close().syncUninterruptibly();
		this.loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
	}

	/**
	 * How data is forwarded.
	 *
	 * @param latencyMillis the delay in each direction
	 * @param losesRequests whether data to the database is dropped
	 * @param losesResponses whether data from the database is dropped
	 * @param cutsWithin each connection is cut before it has forwarded this many bytes; 0
	 * means never
	 */
	record Conditions(long latencyMillis, boolean losesRequests, boolean losesResponses, int cutsWithin) {

		static final Conditions NORMAL = new Conditions(0, false, false, 0);

		static Conditions latency(long millis) {
			return new Conditions(millis, false, false, 0);
		}

		static Conditions cuttingWithin(int maxBytes) {
			return new Conditions(0, false, false, maxBytes);
		}

	}

	/**
	 * A client connection and the matching connection to the database.
	 */
	private final class Link {

		private final Channel client;

		private boolean ended;

		/** How many more bytes pass before the connection is cut. */
		private long budget;

		Link(Channel client) {
			this.client = client;
		}

		void open() {
			FaultProxy.this.links.add(this);
			drawBudget();
			Pipe responses = new Pipe(this, this.client, false);
			Channel database = new Bootstrap().group(this.client.eventLoop())
				.channel(NioSocketChannel.class)
				.option(ChannelOption.TCP_NODELAY, true)
				.handler(responses)
				.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), FaultProxy.this.databasePort))
				.addListener((connected) -> {
					if (connected.isSuccess()) {
						this.client.config().setAutoRead(true);
					}
					else {
						end();
					}
				})
				.channel();
			this.client.pipeline().addLast(new Pipe(this, database, true));
			this.client.closeFuture().addListener((closed) -> {
				end();
				database.close();
			});
			database.closeFuture().addListener((closed) -> end());
		}

		void drawBudget() {
			int maxBytes = FaultProxy.this.conditions.cutsWithin();
			this.budget = (maxBytes > 0) ? FaultProxy.this.random.nextInt(maxBytes) : Long.MAX_VALUE;
		}

		/**
		 * Close the connection with a TCP reset.
		 */
		void cut() {
			if (this.client.isOpen()) {
				this.client.config().setOption(ChannelOption.SO_LINGER, 0);
			}
			end();
		}

		private void end() {
			if (!this.ended) {
				this.ended = true;
				FaultProxy.this.links.remove(this);
				this.client.close();
			}
		}

	}

	/**
	 * One direction of a link.
	 */
	private final class Pipe extends ChannelInboundHandlerAdapter {

		private final Link link;

		private final Channel target;

		private final boolean isForRequests;

		/**
		 * Delayed data in the order of arrival. When a timer expires, the next part is
		 * sent.
		 */
		private final Queue<ByteBuf> delayed = new ArrayDeque<>();

		private long lastDue;

		Pipe(Link link, Channel target, boolean isForRequests) {
			this.link = link;
			this.target = target;
			this.isForRequests = isForRequests;
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf bytes = (ByteBuf) message;
			Conditions conditions = FaultProxy.this.conditions;
			if (this.isForRequests ? conditions.losesRequests() : conditions.losesResponses()) {
				bytes.release();
				return;
			}
			this.link.budget -= bytes.readableBytes();
			if (this.link.budget < 0) {
				bytes.writerIndex(Math.max(bytes.readerIndex(), bytes.writerIndex() + (int) this.link.budget));
				this.target.writeAndFlush(bytes).addListener((done) -> this.link.cut());
				return;
			}
			forward(context, bytes, conditions.latencyMillis());
		}

		private void forward(ChannelHandlerContext context, ByteBuf bytes, long latencyMillis) {
			long now = System.nanoTime();
			// data must not overtake data that arrived earlier
			this.lastDue = Math.max(now + TimeUnit.MILLISECONDS.toNanos(latencyMillis),
					this.delayed.isEmpty() ? now : this.lastDue);
			if (this.delayed.isEmpty() && latencyMillis == 0) {
				this.target.writeAndFlush(bytes);
				return;
			}
			this.delayed.add(bytes);
			context.executor()
				.schedule(() -> this.target.writeAndFlush(this.delayed.remove()), this.lastDue - now,
						TimeUnit.NANOSECONDS);
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			// close only after pending writes
			this.target.write(this.target.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
			this.target.flush();
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			this.link.cut();
		}

	}

}
