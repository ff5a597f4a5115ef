package dev.idspring.integration.r2dbc;

import java.util.List;

import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the blog with an id store on MySQL, while R2DBC uses another database.
 */
@RealServers(GivenServer.MYSQL)
class MysqlIdsTests {

	private static final int POSTS = 5_000;

	@Test
	void twoInstancesAssignDifferentIds() {
		TestDatabase blog = TestDatabase.h2();
		blog.execute(BlogApplication.CREATE_TABLES);
		TestDatabase ids = TestDatabase.mysql();
		Class<?>[] sources = { BlogApplication.class, IdsConnection.class };
		String[] properties = { "--ids.jdbc.initialize-schema=always", "--ids.strategy=sequential",
				"--ids.block.size=10", "--ids.block.max-size=10" };
		try (ConfigurableApplicationContext first = BlogContext.start(blog, ids, sources, properties);
				ConfigurableApplicationContext second = BlogContext.start(blog, ids, sources, properties)) {
			List<Post> saved = Flux.range(0, POSTS)
				.flatMap((i) -> ((i % 2 == 0) ? first : second).getBean(Posts.class).save(new Post("ada", "Part " + i)))
				.collectList()
				.block();
			assertThat(saved).hasSize(POSTS);
			assertThat(saved.stream().map(Post::id).distinct()).hasSize(POSTS);
			assertThat(saved.stream().map(Post::code).distinct()).hasSize(POSTS);
		}
	}

}
